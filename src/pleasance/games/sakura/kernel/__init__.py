"""The kernel: the rules of Sakura for compiled code, module by module."""
