"""The outlook of Sakura: a forecast for people."""
