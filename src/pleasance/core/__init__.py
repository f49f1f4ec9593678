"""The framework that all games share; standard library only."""
