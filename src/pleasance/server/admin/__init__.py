"""Administration: invitations, lists of tables and chat reports, closing a table."""
