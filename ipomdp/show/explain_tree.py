"""A chain of thoughts as a tree on the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from ipomdp.scenario import Scenario
from ipomdp.show.study_tables import settings_of
from ipomdp.show.tables import print_heading
from ipomdp.study.thought import Thought


def print_thought(console: Console, scenario: Scenario, thought: Thought) -> None:
    """Print the reasoning behind a move, each thought under the one that it explains."""
    print_heading(console, scenario)
    console.print(f"{settings_of(scenario)}{_opponent(scenario)}\n")
    console.print(_tree(thought))


def _opponent(scenario: Scenario) -> str:
    """Return lambda, or the frames that j may have, where i models it."""
    if scenario.frames:
        frames = (
            f"level {mind.level}, lambda {mind.rationality:g}"
            if mind.policy == "model"
            else "random"
            for mind in scenario.frames
        )
        return f"\nj's frames: {'; '.join(frames)}"
    modelled = scenario.level > 0 and scenario.policy == "model"
    return f", lambda {scenario.rationality:g}" if modelled else ""


def _tree(thought: Thought) -> Tree:
    tree = Tree(Text(thought.text), guide_style="dim")
    _grow(tree, thought)
    return tree


def _grow(tree: Tree, thought: Thought) -> None:
    for inner in thought.inside:
        _grow(tree.add(Text(inner.text)), inner)
