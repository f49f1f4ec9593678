"""The value network of Sakura: features, inference and search."""
