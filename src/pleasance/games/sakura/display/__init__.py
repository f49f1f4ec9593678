"""How people and programs see Sakura: text, pictures and wire format."""
