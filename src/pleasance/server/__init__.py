"""The server: carries tables over the network and keeps them; what is decided, tables decide."""
