"""Bots of Sanssouci."""
