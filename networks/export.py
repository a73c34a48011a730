"""Networks as files: BIF, XMLBIF, or a picture, chosen by the file's ending."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ipomdp.files import NETWORKS, PICTURES, check_ending
from networks.diagram import Diagram, Node
from networks.naming import plain_name

NEVER = "never"
SCALE = "low_to_high"
"""The property of a utility that says which utilities its two states stand for."""


def write(diagram: Diagram, path: Path, name: str = "") -> None:
    """Write a diagram in the format its file's ending names; ``name`` says of which scenario."""
    check_ending(path, PICTURES + NETWORKS)
    ending = path.suffix.lower()
    if ending in PICTURES:
        from networks.draw import draw  # matplotlib loads only for pictures

        draw(diagram, path, name)
        return
    from pgmpy.readwrite import BIFWriter, XMLBIFWriter

    network = with_two_states(diagram).network
    network.name = plain_name(f"{diagram.title} {name}")
    if diagram.utility is not None:
        low, high = diagram.scale
        network.nodes[diagram.utility][SCALE] = f"{low:.17g} {high:.17g}"
    (BIFWriter if ending == ".bif" else XMLBIFWriter)(network).write(str(path))


def with_two_states(diagram: Diagram) -> Diagram:
    """Return the diagram with a state ``never`` added to each node that has only one.

    A known position is a node with one state, which other programs refuse to read. The added state
    has probability zero; what its children would do then is uniform and cannot be reached.
    """
    single = {node.name for node in diagram.nodes if len(node.states) == 1}
    return replace(diagram, nodes=tuple(_padded(node, single) for node in diagram.nodes))


def _padded(node: Node, single: set[str]) -> Node:
    table = node.table
    for axis, parent in enumerate(node.parents, start=1):
        if parent in single:
            unreachable = np.full_like(table, 1.0 / len(node.states))
            table = np.concatenate([table, unreachable], axis=axis)
    if node.name not in single:
        return replace(node, table=table)
    return replace(node, states=(*node.states, NEVER), table=np.stack([table[0], 0 * table[0]]))
