"""The rules of Sanssouci: pure functions over immutable values."""
