"""What whoever runs the server can do: invite, look at tables and reports, close a table."""
