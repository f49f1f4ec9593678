"""Benchmarks: the speed of the rules and the kernels."""
