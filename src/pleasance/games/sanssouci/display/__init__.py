"""How people and programs see Sanssouci: text, pictures and wire format."""
