"""Live tables: rooms in memory, their event logs in the database, and their clients."""
