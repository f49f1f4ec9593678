"""Extras: their modules are those of the packages that pyproject.toml names."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pleasance.core.errors import EXTRA_MODULES, BadSetupError, extra_needed

ROOT = Path(__file__).parents[2]
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]


def list_packages(extra: str) -> set[str]:
    """List the packages of an extra, without those of the server, which postgres brings too."""
    named = {re.split(r"[\[<>=]", each)[0].replace("_", "-") for each in EXTRAS[extra]}
    is_numpy = "pleasance[numpy]" in EXTRAS[extra]
    return named - {"pleasance"} | ({"numpy"} if is_numpy else set())


def test_each_extra_that_holds_packages_is_known() -> None:
    assert set(EXTRA_MODULES) == set(EXTRAS) - {"all"}


@pytest.mark.parametrize("extra", EXTRA_MODULES)
def test_the_modules_of_an_extra_are_those_of_its_packages(extra: str) -> None:
    installed = {
        module: {name.lower().replace("_", "-") for name in names}
        for module, names in packages_distributions().items()
    }
    packages = list_packages(extra)
    for module in EXTRA_MODULES[extra] & set(installed):
        assert installed[module] & packages, module
    for package in packages & {name for names in installed.values() for name in names}:
        assert any(package in installed.get(module, ()) for module in EXTRA_MODULES[extra])


def test_a_package_of_an_extra_that_is_missing_is_named() -> None:
    with pytest.raises(BadSetupError) as caught, extra_needed("server"):
        raise ModuleNotFoundError(name="litestar.openapi")
    assert caught.value.params == {"package": "litestar", "extra": "server"}


@pytest.mark.parametrize("module", ["torch", "pleasance.nothing", "numpy", None])
def test_a_module_that_an_extra_does_not_install_stays_missing(module: str | None) -> None:
    with pytest.raises(ModuleNotFoundError), extra_needed("server"):
        raise ModuleNotFoundError(name=module)
