"""What compiled twins share: the compiler, if there is one, counting bits, and luck."""
