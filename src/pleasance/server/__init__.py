"""Serves tables over the network and stores them; their logic is in `pleasance.table`."""
