"""Webhooks: notify absent players that it is their turn."""
