"""The database: SQLite in one file, or PostgreSQL shared by many processes."""
