"""The texts of Pond for people."""
