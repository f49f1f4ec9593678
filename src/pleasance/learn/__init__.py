"""Learning: how the weights of players are found."""
