"""The page in the browser: plain, complete, and the same for every game."""
