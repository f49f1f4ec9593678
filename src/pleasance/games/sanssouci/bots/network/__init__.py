"""The value network of Sanssouci: features, inference and search."""
