"""Live tables: rooms in memory, their logs in the database, sockets that follow them."""
