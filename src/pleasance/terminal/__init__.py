"""Play and read in the terminal."""
