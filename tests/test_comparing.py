"""The paired comparison of two methods, with chances counted by hand."""

from __future__ import annotations

import random

import pytest

from hopsplit.evaluation import Comparison, compare

NOTHING = Comparison(0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ((1,), 1),  # both signs are as far from 0
        ((1, 1), 2 / 4),
        ((1, 1, 1), 2 / 8),
        ((1, 1, 1, 1, 0, 0), 2 / 16),  # the last two have no sign to change
        ((1, 1, -1), 1),  # sums of three odd numbers: none is nearer than 1
        ((3, 1, 1), 2 / 8),  # only +++ and --- reach 5
        ((3, 1, -1), 6 / 8),  # 5, 3, 3 and the same below 0; +1 and -1 are nearer than 3
        ((2, -1, -1), 1),
        ((1,) * 13, 2 / 2**13),  # the most that are counted out
        ((0,) * 500 + (1, 1, 1), 2 / 8),
    ],
)
def test_the_chance_by_hand(differences: tuple[int, ...], p: float) -> None:
    """All changes of sign of few differences, counted: those whose sum is at least as far from 0 as the one found."""
    for unit in (1.0, 1 / 3, 1e-6):
        found = compare([unit * value for value in differences], [0.0] * len(differences))
        assert found.p == p
        assert found.difference == pytest.approx(unit * sum(differences) / len(differences), abs=1e-12)


def test_the_chance_of_many_differences() -> None:
    """15 of 20 one way: twice the 21,700 of 2^20 ways with 15 heads or more, within three standard errors."""
    found = compare([1.0] * 15 + [0.0] * 5, [0.0] * 15 + [1.0] * 5)
    assert found.p == pytest.approx(2 * 21_700 / 2**20, abs=0.006)
    # So rare that no sample has it: the least chance that 9,999 samples and what was found can tell.
    assert compare([1.0] * 40, [0.0] * 40).p == 1 / 10_000


def test_the_interval() -> None:
    """Half of ten questions are won: 2 to 8 in 95 of 100 samples, as at most 1 of 10 has a chance of 1.1%."""
    found = compare([1.0] * 5 + [0.0] * 5, [0.0] * 10)
    assert found[:3] == (0.5, 0.2, 0.8)
    assert compare([1.0, 1.0, 1.0], [0.5, 0.5, 0.5])[:3] == (0.5, 0.5, 0.5)
    assert compare([0.25], [0.0]) == (0.25, 0.25, 0.25, 1.0)


@pytest.mark.parametrize(
    ("first", "second"), [((0.3,), (0.3,)), ((1, 0, 0.5), (1, 0, 0.5)), ((0.1 + 0.2, 1.0), (0.3, 1.0))]
)
def test_equal_methods(first: tuple[float, ...], second: tuple[float, ...]) -> None:
    """No difference, and that for sure; what rounding leaves is none."""
    assert compare(first, second) == NOTHING


@pytest.mark.parametrize("seed", range(8))
def test_an_exchange_changes_the_signs_alone(seed: int) -> None:
    """The same p, the interval mirrored; twice the same; the interval holds the mean; no negative zero."""
    chance = random.Random(seed)
    shares = [n / d for d in (1, 2, 3, 4) for n in range(d + 1)]
    number = chance.choice((2, 9, 30, 200))
    first, second = ([chance.choice(shares) for _ in range(number)] for _ in range(2))
    one, other = compare(first, second), compare(second, first)
    assert one == Comparison(-other.difference, -other.high, -other.low, other.p)
    assert compare(first, second) == one
    assert one.low <= one.difference <= one.high
    assert 0 < one.p <= 1
    assert one.difference == pytest.approx(sum(first) / number - sum(second) / number, abs=1e-9)
    assert not [value for value in (*one, *other) if str(value) == "-0.0"]
