"""Random choices of which few are odd, so that half of all cases are sound."""

import random
from collections.abc import Sequence
from typing import Any

ODD = 1 / 30  # of the choices


class Chooser:
    """Choices by a seed."""

    def __init__(self, seed: int):
        self._rng = random.Random(seed)

    def one(self, sound: Sequence[Any], odd: Sequence[Any] = ()) -> Any:
        """A sound value, or rarely an odd one."""
        return self._rng.choice(odd if odd and self.chance(ODD) else sound)

    def chance(self, p: float) -> bool:
        return self._rng.random() < p

    def below(self, n: int) -> int:
        return self._rng.randrange(n)

    def some(self, values: Sequence[Any], most: int) -> list[Any]:
        """One value or more, each once."""
        return self._rng.sample(values, self._rng.randint(1, most))

    def option(self, name: str, p: float, sound: Sequence[str], odd: Sequence[str] = ()) -> list[str]:
        """An option with a value, with this probability."""
        return [name, self.one(sound, odd)] if self.chance(p) else []

    def flag(self, name: str, p: float) -> list[str]:
        return [name] if self.chance(p) else []
