"""The rules kernel of Sakura: each module repeats the one of its name in `rules/`, compiled."""
