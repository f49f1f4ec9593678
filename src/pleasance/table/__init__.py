"""Tables: one live game each; no network, no files."""
