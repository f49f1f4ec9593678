"""Configurations whose game has a compiled kernel, and that kernel."""

from __future__ import annotations

from conformance import CONFIGURATIONS, Configuration, each_of
from pleasance.compiled.kernel import Kernel

WITH_KERNEL = tuple(config for config in CONFIGURATIONS if config.game.kernel is not None)

every_configuration_with_kernel = each_of(WITH_KERNEL)


def load_kernel(config: Configuration) -> Kernel:
    """Load the compiled kernel of a configuration that has one."""
    assert config.game.kernel is not None
    kernel = config.game.kernel()
    assert isinstance(kernel, Kernel)
    return kernel
