"""Exports: what crosses between Python and compiled code, by all three backends."""

from __future__ import annotations

import math
import threading
from array import array
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from pleasance.compiled.arrays import KernelArgumentError, copy_of, from_values, overwrite, zeros
from pleasance.compiled.export import EXPORTS, Backend, Export, KernelError, use_backend
from pleasance.compiled.rng import make_rng_state
from pleasance.compiled.signature import ArrayType, NumberType, StructType
from support.toy_game.kernel import sums

pytestmark = pytest.mark.slow


@pytest.fixture(params=["library", "jit", "python"])
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    request.getfixturevalue("toy_library")
    with use_backend(request.param):
        yield request.param


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


def workspace(make: Callable[..., Any] = zeros) -> sums.Workspace:
    rows = make("int64", 2, 3)
    for row in range(2):
        for column in range(3):
            rows[row, column] = 10 * row + column
    return sums.Workspace(rows, sums.Inner(0.5, from_values("int64", [1, 2])), zeros("float64", 2))


@pytest.mark.usefixtures("backend")
def test_numbers_and_arrays_cross() -> None:
    assert sums.total(from_values("int64", [1, 2, 3])) == 6
    assert sums.total(np.array([4, 5])) == 9
    assert sums.divide(7, 2) == 3
    assert sums.divide(one=-7, other=2) == -4
    assert bool(sums.is_more(0.5, 0.25))
    assert not sums.is_more(0.25, 0.5)


@pytest.mark.usefixtures("backend")
def test_a_workspace_crosses_with_all_that_it_holds() -> None:
    given = workspace()
    assert sums.sum_rows(given) == 0.5 * (3 + 33) + 3
    assert list(given.sums) == [1.5, 16.5]


@pytest.mark.usefixtures("backend")
def test_a_bound_call_sees_what_its_arrays_hold_now() -> None:
    numbers = from_values("int64", [1, 2, 3, 4])
    total, write = sums.total.bind(numbers), sums.write_four.bind(numbers, ...)
    assert total() == 10
    write(5)
    assert (list(numbers), total()) == ([5, 6, 7, 8], 26)
    assert sums.divide.bind(..., ...)(9, 4) == 2


@pytest.mark.usefixtures("backend")
def test_the_same_seed_gives_the_same_numbers() -> None:
    rng_state = make_rng_state("dice")
    assert sums.roll(rng_state, 6, 1000) == 3427
    assert rng_state[0] == 1287902703440934669


@pytest.mark.usefixtures("backend")
def test_the_exponential_is_the_same_everywhere_and_right_to_about_the_last_bit() -> None:
    rng = Random(3)
    exponents = [0.0, 1.0, -1.0, 709.0, -708.0, *(rng.uniform(-50, 50) for _ in range(2000))]
    powers = zeros("float64", len(exponents))
    sums.grow(from_values("float64", exponents), powers)
    for exponent, power in zip(exponents, powers, strict=True):
        assert abs(power - math.exp(exponent)) <= 2 * math.ulp(math.exp(exponent))
    with use_backend("python"):
        plain = zeros("float64", len(exponents))
        sums.grow(from_values("float64", exponents), plain)
    assert list(plain) == list(powers)


@pytest.mark.usefixtures("backend")
def test_a_function_that_cannot_go_on_raises() -> None:
    with pytest.raises(KernelError, match="divide failed"):
        sums.divide(1, 0)
    with pytest.raises(KernelError, match="divide failed"):
        sums.divide.bind(..., ...)(1, 0)
    with pytest.raises(KernelError, match="divide failed"):
        sums.divide.bind(1, ...)(0)


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize("backend", ["library", "jit"], indirect=True)
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((zeros("int64", 3), 1), r"numbers must be int64\[4\], not int64\[3\]"),
        ((zeros("float64", 4), 1), r"numbers must be int64\[4\], not float64\[4\]"),
        ((zeros("int64", 2, 4), 1), r"numbers must be int64\[4\], not int64\[2, 4\]"),
        (([1, 2, 3, 4], 1), "list is no array"),
        ((np.zeros((4, 2), dtype=np.int64)[:, 0], 1), "layout is not known"),
        ((np.zeros(4, dtype=np.complex128), 1), "layout is not known"),
        ((np.zeros(4, dtype=np.int32), 1), r"not int32\[4\]"),
        ((bytes(32), 1), "not int8|layout is not known"),
        ((np.broadcast_to(np.int64(1), 4), 1), "layout is not known"),
        ((read_only(np.zeros(4, dtype=np.int64)), 1), "cannot be written to"),
        ((zeros("int64", 4), 1.5), "first must be int64, not 1.5"),
        ((zeros("int64", 4), "1"), "first must be int64, not '1'"),
    ],
)
def test_what_compiled_code_could_not_read_is_refused(
    arguments: tuple[Any, ...], reason: str
) -> None:
    with pytest.raises(KernelArgumentError, match=reason):
        sums.write_four(*arguments)
    with pytest.raises(KernelArgumentError, match=reason):
        sums.write_four.bind(*arguments)


@pytest.mark.parametrize("backend", ["library"], indirect=True)
@pytest.mark.usefixtures("backend")
def test_every_parameter_is_given_once() -> None:
    calls: tuple[tuple[tuple[int, ...], dict[str, int]], ...]
    calls = (((1,), {}), ((1, 2, 3), {}), ((1, 2), {"other": 3}), ((1,), {"another": 2}))
    for arguments, named in calls:
        with pytest.raises(KernelArgumentError, match="divide takes one, other"):
            sums.divide(*arguments, **named)
    with pytest.raises(KernelArgumentError, match="numbers is no whole number"):
        sums.total.bind(...)


@pytest.mark.parametrize("backend", ["library"], indirect=True)
@pytest.mark.usefixtures("backend")
def test_threads_share_a_library() -> None:
    found: dict[int, int] = {}

    def work(number: int) -> None:
        found[number] = sums.roll(make_rng_state(str(number)), 6, 200_000)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {
        number: sums.roll(make_rng_state(str(number)), 6, 200_000) for number in range(4)
    }


def test_a_signature_describes_every_argument() -> None:
    assert isinstance(sums.sum_rows, Export)
    signature = sums.sum_rows.signature
    assert signature.result == NumberType("float64")
    ((name, described),) = signature.parameters
    assert name == "workspace"
    assert isinstance(described, StructType)
    assert dict(described.fields)["rows"] == ArrayType("int64", (None, None))
    assert sums.sum_rows.symbol == "kernel_sums_sum_rows"
    assert EXPORTS["support.toy_game.kernel.sums.roll"].purpose == "train"


def test_an_annotation_that_compiled_code_does_not_know_is_refused() -> None:
    def wrong(names: list[str]) -> None: ...

    with pytest.raises(TypeError, match="names"):
        _ = Export(wrong, "play").signature

    def returns_text() -> str:
        return ""

    with pytest.raises(TypeError, match="cannot return"):
        _ = Export(returns_text, "play").signature


def test_other_buffers_of_the_right_type_are_read_in_place() -> None:
    with use_backend("jit"):
        assert sums.total(array("q", [1, 2, 3])) == 6


def test_arrays_are_views_of_one_block_of_memory() -> None:
    rows = zeros("int16", 3, 4)
    rows[1, 2] = 7
    rows[2][3] = 8
    assert rows[1][2] == 7
    assert np.asarray(rows).tolist() == [[0, 0, 0, 0], [0, 0, 7, 0], [0, 0, 0, 8]]
    other = copy_of(rows)
    rows[1, 2] = 9
    assert (other[1, 2], rows[1, 2]) == (7, 9)
    overwrite(other, rows)
    assert other[1, 2] == 9
    blocks = zeros("float32", 2, 2, 2)
    blocks[1, 0, 1] = 0.5
    assert np.asarray(blocks)[1, 0, 1] == 0.5
