"""From nothing to weights: self-play, fitting and measuring the networks of Sakura."""
