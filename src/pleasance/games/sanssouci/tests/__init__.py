"""Tests of Sanssouci: every rule by its number."""
