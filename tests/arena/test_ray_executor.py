"""The Ray executor plays the same matches as the serial one."""

import importlib.util
import sys

import pytest

from pleasance.arena.executors import SerialExecutor, play_matches
from pleasance.arena.plan import Plan
from pleasance.arena.ray_executor import RayExecutor
from pleasance.core.errors import BadSetupError

PLAN = Plan(game="sanssouci", seats=2, players=("greedy", "random"), seed="ray")
HAS_RAY = importlib.util.find_spec("ray") is not None


@pytest.mark.slow
@pytest.mark.skipif(not HAS_RAY, reason="ray is not installed: the extra `cluster` brings it")
@pytest.mark.filterwarnings("ignore")  # warnings of ray itself
def test_a_local_cluster_plays_the_same_matches() -> None:
    with RayExecutor(2) as executor:
        on_cluster = sorted(play_matches(PLAN, range(6), executor), key=lambda match: match.number)
    with SerialExecutor() as executor:
        serial = list(play_matches(PLAN, range(6), executor))
    assert [match.games for match in on_cluster] == [match.games for match in serial]


def test_without_ray_the_cluster_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadSetupError, match="extra_missing"):
        RayExecutor()
