"""SVG pictures of Sakura."""
