"""Errors, logs, settings, metrics and wire messages: what every part of the server uses."""
