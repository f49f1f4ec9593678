"""Webhooks: tells players who are not here that it is their turn."""
