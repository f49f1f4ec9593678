"""The exponential function of compiled code: the same bits on every processor and in plain Python.

The C library's own differs from system to system, and would be the only import of a library.
"""

from __future__ import annotations

from pleasance.compiled.jit import jit

_LOWEST, _HIGHEST = -708.0, 709.0
"""Below, the result is taken for 0; above, it no longer grows."""

_LOG2_E = 1.4426950408889634
_LN_2_UPPER, _LN_2_LOWER = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""The logarithm of 2 in two parts: multiples of the upper one are exact."""

_OFFSET = 1024
_LARGE_POWERS = tuple(2.0 ** (32 * step - _OFFSET) for step in range(64))
_SMALL_POWERS = tuple(2.0**step for step in range(32))
_INVERSE_FACTORIALS = tuple(
    1.0 / factorial
    for factorial in (
        *(6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040),
        *(720, 120, 24, 6, 2, 1, 1),
    )
)


@jit
def exp(exponent: float) -> float:
    """Compute e to the power of *exponent*, to about the last bit.

    >>> exp(0.0), round(exp(1.0), 12), exp(-1000.0)
    (1.0, 2.718281828459, 0.0)
    """
    if exponent < _LOWEST:
        return 0.0
    exponent = min(exponent, _HIGHEST)
    power = int(exponent * _LOG2_E + (_OFFSET + 0.5))
    twos = power - _OFFSET
    rest = (exponent - twos * _LN_2_UPPER) - twos * _LN_2_LOWER
    total = 0.0
    for factor in _INVERSE_FACTORIALS:
        total = total * rest + factor
    return total * (_LARGE_POWERS[power >> 5] * _SMALL_POWERS[power & 31])
