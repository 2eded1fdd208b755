"""Whether one method is better than another on the same questions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

_RESAMPLES = 9_999
_ALL = 13  # so many signs have fewer arrangements than that: all are looked at
_SEED = 20_240
_DIGITS = 12  # beyond them differences are those of rounding


class Comparison(NamedTuple):
    """The mean of the differences, its 95% interval, and the chance of one as large where the methods are equal."""

    difference: float
    low: float
    high: float
    p: float


def compare(first: Sequence[float], second: Sequence[float]) -> Comparison:
    """Compare two methods by their values on the same questions, in the same order.

    p: of a paired randomisation test of the mean, two-sided, with 9,999 random changes of sign, or all where at most
    13 questions differ; low, high: percentiles of the means of 9,999 bootstrap samples (Smucker, Allan and Carterette
    2007). The random numbers are always the same, and an exchange of the methods changes signs alone. scipy.stats has
    both tests; drawing question by question it takes seconds where this takes hundredths.
    """
    import numpy as np  # noqa: PLC0415

    differences = np.round(np.subtract(first, second), _DIGITS)
    mean = round(float(np.subtract(first, second).mean()), _DIGITS)
    changed = differences[differences != 0]  # the others have no sign to change
    if not len(changed):
        return Comparison(0.0, 0.0, 0.0, 1.0)
    turn = float(np.sign(changed[0]))  # seen from the same side whichever method comes first
    random = np.random.default_rng(_SEED)
    low, high = sorted(round(turn * float(edge), _DIGITS) for edge in _interval(turn * differences, random))
    return Comparison(mean + 0.0, low + 0.0, high + 0.0, _p(changed, random))  # + 0.0: no negative zero


def _interval(differences: np.ndarray[Any, Any], random: np.random.Generator) -> np.ndarray[Any, Any]:
    """Return the 2.5th and 97.5th percentile of bootstrapped means.

    How often each value is drawn is multinomial, which spares drawing question by question.
    """
    import numpy as np  # noqa: PLC0415

    values, counts = np.unique(differences, return_counts=True)
    number = len(differences)
    means = random.multinomial(number, counts / number, size=_RESAMPLES) @ values / number
    return np.asarray(np.percentile(means, (2.5, 97.5)))


def _p(changed: np.ndarray[Any, Any], random: np.random.Generator) -> float:
    """Return the share of the changes of sign whose sum is at least as far from 0 as the one observed.

    Of equal differences it is binomial how many keep their sign, which spares drawing question by question.
    """
    import numpy as np  # noqa: PLC0415

    least = abs(changed.sum()) - 10.0**-_DIGITS * len(changed)
    if len(changed) <= _ALL:
        sums = np.array(list(product((1, -1), repeat=len(changed)))) @ changed
        return float((abs(sums) >= least).mean())
    sizes, counts = np.unique(abs(changed), return_counts=True)
    kept = random.binomial(counts, 0.5, size=(_RESAMPLES, len(sizes)))
    sums = (2 * kept - counts) @ sizes
    return float((1 + (abs(sums) >= least).sum()) / (1 + _RESAMPLES))
