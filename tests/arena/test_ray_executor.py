"""An arena on a cluster finds the same as on this machine."""

import importlib.util

import pytest

from pleasance.arena.executors import SerialExecutor, play_matches
from pleasance.arena.plan import Plan
from pleasance.arena.ray_executor import RayExecutor
from pleasance.core.errors import BadSetupError

PLAN = Plan(game="sanssouci", seats=2, players=("greedy", "random"), seed="ray")
HAS_RAY = importlib.util.find_spec("ray") is not None


@pytest.mark.slow
@pytest.mark.skipif(not HAS_RAY, reason="ray is not installed: the extra `cluster` brings it")
@pytest.mark.filterwarnings("ignore")  # ray's own
def test_a_local_cluster_finds_the_same() -> None:
    with RayExecutor(2) as executor:
        far = sorted(play_matches(PLAN, range(6), executor), key=lambda match: match.number)
    with SerialExecutor() as executor:
        near = list(play_matches(PLAN, range(6), executor))
    assert [match.games for match in far] == [match.games for match in near]


def test_without_ray_the_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(BadSetupError, match="arena_needs"):
        RayExecutor()
