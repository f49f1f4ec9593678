"""The display of Sanssouci: text, pictures and wire format."""
