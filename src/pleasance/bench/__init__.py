"""Benchmarks: how fast the rules and the kernels are."""
