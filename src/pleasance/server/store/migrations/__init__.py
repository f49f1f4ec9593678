"""How the schema came about, step by step; a step that has been released never changes."""
