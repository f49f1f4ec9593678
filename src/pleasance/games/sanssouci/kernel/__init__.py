"""The rules kernel of Sanssouci: each module repeats the one of its name in `rules/`, compiled."""
