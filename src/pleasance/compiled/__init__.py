"""The kernel protocol, the just-in-time compiler and its random number generator."""
