"""The same games on a real cluster of two worker processes, one of which is killed midway."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ipomdp.arena.cluster import connected, play_on
from ipomdp.errors import InvalidInput, IpomdpError
from tests.arena.players import ROSTER
from tests.arena.playing import in_order, plan_of, played
from tests.test_cli import run

distributed: Any = pytest.importorskip("distributed")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a scheduler and two workers, each a process with a nanny; a busy machine may dawdle."""
    import dask

    patient = {"distributed.comm.timeouts.connect": "120s", "distributed.comm.timeouts.tcp": "120s"}
    with (
        dask.config.set(patient),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as made,
    ):
        yield made


def test_a_killed_worker_changes_nothing(cluster: Any) -> None:  # noqa: ANN401
    plan, lines = plan_of("random", "nap:0.005", seconds=0.5), []
    with connected(cluster.scheduler_address, plan, ROSTER) as client:
        pids = client.run(os.getpid)
        assert len(set(pids.values())) == 2
        for some in play_on(client, plan.jobs(60, ROSTER)):
            lines += some
            if pids and len(lines) >= 6:
                os.kill(pids.popitem()[1], signal.SIGKILL)
                pids = {}
    assert not pids
    assert len(lines) == 60
    assert in_order(lines) == in_order(played(plan, 60))


def test_players_fail_on_a_cluster_as_they_do_here(cluster: Any) -> None:  # noqa: ANN401
    plan = plan_of("die", "crash", "sleep", seconds=0.01)
    with connected(cluster.scheduler_address, plan, ROSTER) as client:
        lines = [line for lines in play_on(client, plan.jobs(1, ROSTER)) for line in lines]
    assert in_order(lines) == in_order(played(plan, 1))


def test_the_command_plays_on_a_cluster(cluster: Any, tmp_path: Path) -> None:  # noqa: ANN401
    settings = ("arena", "random", "random", "--board", "4x4", "--games", "10", "--out")
    far = run(*settings, str(tmp_path / "far"), "--scheduler", cluster.scheduler_address)
    assert (far.returncode, far.stderr) == (0, "")
    here = run(*settings, str(tmp_path / "here"))
    assert far.stdout.splitlines()[:6] == here.stdout.splitlines()[:6]
    files = [(tmp_path / name / "games.jsonl").read_bytes() for name in ("far", "here")]
    assert in_order(files[0].splitlines()) == in_order(files[1].splitlines())


def test_a_worker_that_cannot_play_is_named_before_anything_starts(cluster: Any) -> None:  # noqa: ANN401
    plan = plan_of("unmakeable", "random")
    with (
        pytest.raises(InvalidInput, match=r"the worker at .* cannot play: RuntimeError: no memory"),
        connected(cluster.scheduler_address, plan, ROSTER),
    ):
        pass


def test_a_scheduler_that_goes_away_ends_the_run_with_one_line() -> None:
    code = (
        "import distributed, sys, time\n"
        "if __name__ == '__main__':\n"
        "    cluster = distributed.LocalCluster(n_workers=1, dashboard_address=None)\n"
        "    print(cluster.scheduler_address, flush=True)\n"
        "    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as scheduler:
        assert scheduler.stdout is not None
        address = scheduler.stdout.readline().decode().strip()
        plan = plan_of("random", "nap:0.01")
        with connected(address, plan, ROSTER) as client:
            games = play_on(client, plan.jobs(1000, ROSTER))
            assert next(games)
            scheduler.send_signal(signal.SIGKILL)
            with pytest.raises(IpomdpError, match="no longer answers"):
                list(games)
