"""Builds libraries from kernels: Numba's IR, optimized by llvmlite for a target, and linked."""
