"""SVG pictures of Sanssouci."""
