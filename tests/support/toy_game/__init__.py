"""The smallest package with compiled code: a few functions that show what may cross to Python."""
