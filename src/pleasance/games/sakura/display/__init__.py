"""The display of Sakura for people and programs: text, pictures and wire format."""
