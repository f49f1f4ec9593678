"""Tools that training scripts share; imports no game."""
