"""The command line as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import ipomdp
from ipomdp.scenario import bundled_scenarios

FIGURE_1 = '[position]\nfen = "1q1k/4/4/K1Q1 w"\n'


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ipomdp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def refused(*arguments: str) -> str:
    """Return the one line of a refusal: nothing on stdout, exit code 2, no traceback."""
    result = run(*arguments)
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("ipomdp: ")
    return line


def test_json_has_the_fixed_names() -> None:
    result = run("analyze", "figure-1", "--json")
    assert result.returncode == 0
    content = json.loads(result.stdout)
    assert {
        "scenario", "position", "to_move", "level", "horizon", "rationality", "tries", "solver",
        "seconds", "best", "ties", "belief", "moves",
    } <= set(content)  # fmt: skip
    assert content["best"] == "Qd1"
    assert content["belief"] == [{"position": "1q1k/4/4/K1Q1 w", "probability": 1.0}]
    values = [move["expected_utility"] for move in content["moves"]]
    assert values == sorted(values, reverse=True)
    for move in content["moves"]:
        assert {"move", "expected_utility", "leak_bits", "announcements"} == set(move)
        for heard in move["announcements"]:
            likely = [reply["probability"] for reply in heard["replies"]]
            assert likely == sorted(likely, reverse=True)
            assert sum(likely) == pytest.approx(1.0, abs=1e-12)
            assert len(likely) == 32


def test_text_reads_as_the_paper() -> None:
    text = run("analyze", "figure-1").stdout
    for words in ("White (i) to move", "35.11", "Check by File", "0.2163", "Ka1 Qd2  0.500"):
        assert words in text


@pytest.mark.parametrize("solver", ["arrays", "pgmpy"])
def test_options_override_the_file(solver: str) -> None:
    result = run(
        "analyze", "figure-1", "--level", "0", "--rationality", "inf", "--opponent", "random",
        "--tries", "paper", "--solver", solver, "--json",
    )  # fmt: skip
    content = json.loads(result.stdout)
    assert (content["level"], content["rationality"], content["solver"]) == (0, "inf", solver)
    assert all(not heard["replies"] for m in content["moves"] for heard in m["announcements"])


def test_svg_shows_the_belief_after_the_chosen_move(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    result = run("analyze", "figure-1", "--move", "Qd2", "--svg", str(picture))
    assert result.returncode == 0
    assert result.stderr == f"wrote {picture}\n"
    assert picture.read_text().count("Q 50%") == 2


@pytest.mark.parametrize("ending", ["png", "svg", "pdf", "bif", "xmlbif"])
def test_network_writes_every_format(tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"figure.{ending}"
    result = run("network", "figure-1", "--figure", "3", "--out", str(out))
    assert result.returncode == 0, result.stderr
    assert result.stderr == f"wrote {out}\n"
    assert out.stat().st_size > 500


def test_compare_draws_the_argument(tmp_path: Path) -> None:
    out = tmp_path / "compare.png"
    result = run("compare", "figure-1", "--out", str(out))
    assert "Best against" in result.stdout
    assert result.stderr == f"wrote {out}\n"
    assert out.read_bytes().startswith(b"\x89PNG")


def test_scenarios_lists_all() -> None:
    text = run("scenarios").stdout
    assert all(name in text for name in bundled_scenarios())


def test_without_a_command_the_help_is_printed() -> None:
    bare, asked = run(), run("--help")
    assert (bare.returncode, bare.stderr) == (0, "")
    assert bare.stdout == asked.stdout
    assert "..." not in bare.stdout.replace("[ARGS]...", "")  # no command's line is cut


def test_version() -> None:
    result = run("--version")
    assert (result.returncode, result.stdout) == (0, f"ipomdp {ipomdp.__version__}\n")
    assert ipomdp.__version__ == version("ipomdp")
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = ipomdp.nonsense  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "arguments", [("analyze", "mate-over-queen"), ("compare", "figure-1"), ("scenarios",)]
)
def test_a_pipe_gets_no_spaces_at_the_end_of_lines(arguments: tuple[str, ...]) -> None:
    lines = run(*arguments).stdout.splitlines()
    assert len(lines) > 5
    assert [line for line in lines if line != line.rstrip() or len(line) > 80] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize(
    "arguments", [("scenarios",), ("--help",), ("compare", "figure-1", "--json")]
)
def test_a_full_disk_is_one_line(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "ipomdp", *arguments]
        result = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert result.returncode == 2
    assert result.stderr == "ipomdp: the output cannot be written: No space left on device\n"


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "sys.argv = ['ipomdp', '--help']\n"
        "import ipomdp.commands.main\n"
        "try:\n"
        "    ipomdp.commands.main.main()\n"
        "finally:\n"
        "    print([m for m in ('pgmpy', 'matplotlib', 'numba', 'chess') if m in sys.modules])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"
    assert "analyze" in result.stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "empty"),
        ("level = [", "not valid TOML"),
        ("title = 'no position'\n", "position.fen: missing"),
        (FIGURE_1 + "[agent]\nlevle = 1\n", "agent.levle: unknown field; did you mean agent.level"),
        (FIGURE_1 + "[agent]\nlevel = 1.5\n", "agent.level: expected a natural number"),
        (FIGURE_1 + "[agent]\nlevel = -1\n", "agent.level: expected a natural number"),
        (FIGURE_1 + "[agent]\nlevel = true\n", "agent.level: expected a natural number"),
        (FIGURE_1 + "[agent]\ncandidates = []\n", "agent.candidates: expected a list of one"),
        (FIGURE_1 + '[agent]\ncandidates = ["Qd4"]\n', 'agent.candidates: "Qd4" is not legal'),
        (FIGURE_1 + '[agent]\ncandidates = ["Qd1", "Qd1"]\n', 'agent.candidates: "Qd1" is listed'),
        (FIGURE_1 + "[opponent]\nrationality = -1\n", "opponent.rationality: expected a number"),
        (FIGURE_1 + "[opponent]\nrationality = nan\n", "opponent.rationality: expected a number"),
        (FIGURE_1 + '[opponent]\nrationality = "x"\n', "opponent.rationality: expected a number"),
        (FIGURE_1 + '[opponent]\npolicy = "x"\n', 'opponent.policy: expected "model" or "random"'),
        (FIGURE_1 + '[rules]\ntries = "x"\n', 'rules.tries: expected "paper"'),
        (FIGURE_1 + "[utility]\ncheck = inf\n", "utility.check: expected a number between"),
        ("agent = 3\n" + FIGURE_1, "agent: expected a table"),
        ('[position]\nfen = "1q2/4/4/K1Q1 w"\n', "no black king"),
        ('[position]\nfen = "4/4/4/KkQ1 w"\n', "kings next to each other"),
        ('[position]\nfen = "3k/4/4/K2Q w"\n', "black is in check, but it is white's move"),
        ('[position]\nfen = "KK2/4/4/3k w"\n', "white king twice"),
        ('[position]\nfen = "5/4/4/K2k w"\n', '"5" on rank 4'),
        ('[position]\nfen = "1q1k/4/4 w"\n', "3 ranks"),
        ('[position]\nfen = "3k/4/4/K3 w"\n', "already over (Draw)"),
        ("[position]\nfen = 3\n", "position.fen: expected a position"),
    ],
)  # fmt: skip
def test_bad_scenarios(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(content)
    line = refused("analyze", str(file))
    assert "mine.toml" in line
    assert says in line


def test_files_that_are_no_scenarios(tmp_path: Path) -> None:
    assert "a directory" in refused("analyze", str(tmp_path))
    assert "an empty name" in refused("analyze", "")
    assert "cannot be read" in refused("analyze", "x" * 300)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(bytes(range(256)))
    assert "not a text file" in refused("analyze", str(binary))
    assert "did you mean figure-1?" in refused("analyze", "figur-1")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--level", "x"), "--level: expected a natural number"),
        (("--level", "-1"), "--level: expected a natural number"),
        (("--level", "1.0"), "--level: expected a natural number"),
        (("--level", " 1"), "--level: expected a natural number"),
        (("--level", "1_0"), "--level: expected a natural number"),
        (("--level", "\u0661"), "--level: expected a natural number"),
        (("--level", "65"), "--level: expected a natural number (0, 1, 2, ...) up to 64, not 65"),
        (("--rationality", "nan"), "--rationality: expected a number from 0"),
        (("--rationality", "-0.1"), "--rationality: expected a number from 0"),
        (("--rationality", "1_0"), "--rationality: expected a number from 0"),
        (("--rationality", "1e999"), "--rationality: expected a number from 0"),
        (("--opponent", "x"), '--opponent: expected "model"'),
        (("--tries", "x"), '--tries: expected "paper"'),
        (("--solver", "x"), "--solver: expected arrays or pgmpy"),
        (("--level", "3", "--solver", "pgmpy"), "level 3 is not expressible"),
        (("--move", "Qc3"), '--move: "Qc3" is not among the moves considered: Qd1, '),
        (("--move", ""), '--move: "" is not among the moves considered'),
        (("--svg", "/no/such/folder/x.svg"), "there is no folder /no/such/folder"),
        (("--svg", "board.png"), "--svg: board.png: unknown ending; expected .svg"),
        (("--svg", ""), "--svg: an empty name"),
        (("--svg", "x" * 300 + ".svg"), "cannot be written"),
        (("--nonsense",), "--nonsense"),
    ],
)
def test_bad_options(arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("analyze", "figure-1", *arguments)


@pytest.mark.parametrize("option", ["--counts", "--repeats"])
def test_counts_have_an_upper_end_that_is_named(option: str) -> None:
    for number in ("100000000", "1" * 30, "0"):
        says = f"{option}: expected a number above 0, up to 1000000, not {number}"
        assert says in refused("particles", "middle-game", option, number)


@pytest.mark.parametrize("counts", ["10,100,400", "400,800"])
def test_particles_without_error_are_named_not_drawn(tmp_path: Path, counts: str) -> None:
    out = tmp_path / "particles.svg"
    result = run(
        "particles", "middle-game", "--counts", counts, "--repeats", "2", "--out", str(out)
    )
    assert (result.returncode, result.stderr) == (0, f"wrote {out}\n")
    drawn = out.read_text()
    assert drawn.count("(exact from 400 on)") == 2
    assert ("1/sqrt(N)" in drawn) == counts.startswith("10,")


def test_bad_network_options(tmp_path: Path) -> None:
    frames = refused("analyze", "who-is-black", "--solver", "pgmpy")
    assert "several frames of j are not expressible" in frames
    assert "--figure" in refused("network", "figure-1", "--figure", "5", "--out", "x.png")
    out = str(tmp_path / "x.txt")
    assert "unknown ending" in refused("network", "figure-1", "--figure", "2", "--out", out)
