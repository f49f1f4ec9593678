"""The rules of Pond: pure functions over immutable values."""
