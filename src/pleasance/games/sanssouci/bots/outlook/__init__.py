"""The outlook of Sanssouci: a forecast for people."""
