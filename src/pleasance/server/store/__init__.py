"""The database: SQLite in one file, or PostgreSQL for many processes; the same code for both."""
