"""Schema migrations (Alembic); a revision that has been released never changes."""
