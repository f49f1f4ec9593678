"""The rules of Sakura: pure functions over immutable values."""
