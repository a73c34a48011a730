"""Networks as files: BIF, XMLBIF, or a picture, chosen by the file's ending."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ipomdp.errors import InvalidInput
from networks.diagram import Diagram, Node

PICTURES = (".png", ".svg", ".pdf")
NETWORKS = (".bif", ".xmlbif", ".xml")
NEVER = "never"


def write(diagram: Diagram, path: Path) -> None:
    """Write a diagram in the format its file's ending names."""
    ending = path.suffix.lower()
    if ending not in PICTURES + NETWORKS:
        raise InvalidInput(
            f"{path}: unknown ending {ending!r}; expected {', '.join(PICTURES + NETWORKS)}"
        )
    if ending in PICTURES:
        from networks.draw import draw  # matplotlib loads only for pictures

        draw(diagram, path)
        return
    from pgmpy.readwrite import BIFWriter, XMLBIFWriter

    network = with_two_states(diagram).network
    try:
        (BIFWriter if ending == ".bif" else XMLBIFWriter)(network).write(str(path))
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be written: {error.strerror or error}") from None


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
