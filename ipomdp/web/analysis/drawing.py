"""Bars, tables and maps as HTML; everything that is written into them is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from ipomdp.report import Analysis, Hearing, Reply
from ipomdp.show.tables import chance, worth
from ipomdp.study.thought import Thought

SHOWN = 6
"""Replies that are shown before the rest is folded away."""


def ranking(analysis: Analysis, selected: str | None) -> str:
    """Return i's moves as bars, best first."""
    values = [report.expected_utility for report in analysis.moves]
    low, high = min(0.0, *values), max(0.0, *values)
    span = (high - low) or 1.0
    zero = 100 * -low / span
    best = {analysis.best, *analysis.ties}
    rows = []
    for report in analysis.moves:
        value = report.expected_utility
        left, wide = 100 * (min(value, 0.0) - low) / span, 100 * abs(value) / span
        sign = " negative" if value < 0 else ""
        error = (
            ""
            if report.standard_error is None
            else f"\N{PLUS-MINUS SIGN}{report.standard_error:.2f}"
        )
        name, text = escape(report.move), worth(value)
        pressed = "true" if report.move == selected else "false"
        rows.append(
            f'<button type="button" class="bar{" best" if report.move in best else ""}" '
            f'aria-pressed="{pressed}" data-move="{name}" data-value="{value!r}" '
            f'aria-label="{name}: {text}{", best" if report.move in best else ""}">'
            f'<span class="name">{name}</span><span class="track">'
            f'<span class="fill{sign}" style="left:{left:.3f}%;width:{wide:.3f}%"></span>'
            f'<span class="zero" style="left:{zero:.3f}%"></span></span>'
            f'<span class="value">{text}{error}</span></button>'
        )
    room = f"--name: {max(len(report.move) for report in analysis.moves) + 3}ch"
    return (
        f'<div class="bars" role="group" aria-label="moves, best first" style="{room}">'
        f"{''.join(rows)}</div>"
    )


def best_words(analysis: Analysis) -> str:
    """Return which move is best, or which tie."""
    if not analysis.ties:
        second = analysis.moves[1:2]
        ahead = "".join(
            f", {worth(analysis.moves[0].expected_utility - m.expected_utility)} ahead of {m.move}"
            for m in second
        )
        return f"{analysis.best} is best{ahead}."
    return f"{', '.join((analysis.best, *analysis.ties))} tie for the best."


def replies(hearing: Hearing, j: str) -> str:
    """Return j's replies, likeliest first, with what they are worth to j."""
    if not hearing.replies:
        return ""
    top = hearing.replies[0].probability or 1.0
    first, rest = hearing.replies[:SHOWN], hearing.replies[SHOWN:]
    head = (
        f'<tr><th>{escape(j)}\'s reply</th><th class="wide">probability</th>'
        '<th class="right"></th><th class="right">worth to it</th></tr>'
    )
    table = f'<table class="replies">{head}{"".join(_reply(r, top) for r in first)}</table>'
    if not rest:
        return table
    share = chance(sum(r.probability for r in rest), 3)
    count = "1 other" if len(rest) == 1 else f"{len(rest)} others"
    inner = f'<table class="replies">{"".join(_reply(r, top) for r in rest)}</table>'
    folded = f"<summary>{count}, {share} together</summary>{inner}"
    return f'{table}<details class="folded">{folded}</details>'


def _reply(reply: Reply, top: float) -> str:
    wide = 100 * reply.probability / top
    return (
        f'<tr data-reply="{escape(reply.move)}" data-probability="{reply.probability!r}">'
        f"<td><b>{escape(reply.move)}</b></td>"
        f'<td class="wide"><span class="share" style="width:{wide:.2f}%"></span></td>'
        f'<td class="right">{chance(reply.probability, 3)}</td>'
        f'<td class="right">{worth(reply.expected_utility)}</td></tr>'
    )


def legend(entries: Mapping[str, str]) -> str:
    """Return what the colours stand for."""
    spans = (
        f'<span><i style="background:{colour}"></i>{escape(words)}</span>'
        for words, colour in entries.items()
    )
    return f'<div class="legend">{"".join(spans)}</div>'


def thoughts(thought: Thought) -> str:
    """Return a chain of thoughts, the deeper ones folded away."""
    return f'<ul class="thoughts">{_thought(thought, 0)}</ul>'


def _thought(thought: Thought, depth: int) -> str:
    words = escape(thought.text)
    if not thought.inside:
        return f"<li>{words}</li>"
    inner = "".join(_thought(one, depth + 1) for one in thought.inside)
    unfolded = " open" if depth < 3 else ""
    return f"<li><details{unfolded}><summary>{words}</summary><ul>{inner}</ul></details></li>"


def beliefs_table(rows: Sequence[tuple[str, str]]) -> str:
    """Return a small table of two columns."""
    lines = "".join(
        f'<tr><td>{escape(a)}</td><td class="right">{escape(b)}</td></tr>' for a, b in rows
    )
    return f'<table class="replies">{lines}</table>'


def paragraph(words: str) -> str:
    """Return words as they are."""
    return f"<p>{escape(words)}</p>"
