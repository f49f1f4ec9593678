"""Terminal: plays games and prints records as text."""
