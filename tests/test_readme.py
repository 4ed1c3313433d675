"""The README shows what the package does: its table is calculated, its Python runs, its commands exist."""

import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

from casinomath import catalog, evaluate
from casinomath.cli import main

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
DECKS = {"2": "two", "4": "four", "5": "five", "6": "six", "8": "eight"}


def test_the_table_of_house_edges() -> None:
    rows = re.findall(r"^\| (\d) \| ([\d.]+%) \| ([\d.]+%) \| ([\d.]+%) \|$", README, re.MULTILINE)
    assert [row[0] for row in rows] == list(DECKS)
    for decks, *printed in rows:
        names = [f"{rules}_{DECKS[decks]}_deck" for rules in ("s17", "h17", "h17_redouble")]
        assert printed == [f"{evaluate('spanish21', name).house_edge:.4%}" for name in names]


def test_the_table_of_other_bets() -> None:
    rows = re.findall(r"^\| `([\w:]+)`[^|]* \| ([\d.]+%) \| (\S*) ?\|$", README, re.MULTILINE)
    assert len(rows) >= 19
    for bet, edge, fraction in rows:
        returns = evaluate(bet)
        assert edge == f"{returns.house_edge:.4%}", bet
        if fraction:
            assert Fraction(fraction.replace("−", "-")) == returns.ev_exact, bet
        else:
            assert returns.ev_exact is None or len(str(returns.ev_exact)) > 40, bet


def test_the_python_example(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    assert "house edge 0.7986% of the bet" in capsys.readouterr().out


def test_the_commands_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    """Each command line of the README names a command and options that there are."""
    lines = re.findall(r"^    (casinomath .*?)(?:\s+#.*)?$", README, re.MULTILINE)
    assert len(lines) >= 10
    for line in lines:
        _, command, *words = shlex.split(line)
        assert main([command, "--help"]) == 0
        help_text = capsys.readouterr().out
        for option in [word for word in words if word.startswith("-")]:
            assert option in help_text, line


def test_rule_sets_named_exist() -> None:
    for name in re.findall(r"\b[sh]17\w*_deck\b", README):
        assert name in catalog.rule_sets("spanish21")
