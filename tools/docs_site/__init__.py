"""The docs site: its pages, their links, the API reference, and a check of the result."""
