"""Training with checkpoints on its way, and one more wherever it ends: by Ctrl-C, or at a faulty row."""

from collections.abc import Callable
from pathlib import Path

from foldless.engine._stopping import Stop
from foldless.errors import BadInput, Interrupted, SetArgument, StartOver
from foldless.io._atomic import reason, sweep
from foldless.streams import _checkpoints as checkpoints
from foldless.streams._trainer import State, Trainer

Show = Callable[[Trainer], None]


class Resumable:
    """Runs a trainer; ``path`` is where its checkpoint is, None where there can be none."""

    def __init__(self, trainer: Trainer, path: Path | None, every: int, stop: Stop, show: Show):
        self.trainer, self.path, self.every, self.stop, self.show = trainer, path, every, stop, show
        self._kept, self._resumed = 0, False

    def resume(self) -> bool:
        if self.path is None:
            return False
        sweep(self.path)
        if not self.path.exists():
            return False
        trainer = self.trainer
        state = checkpoints.read(self.path, trainer.plan, trainer.stream.parts, trainer.ledger)
        trainer.take(state)
        self._kept, self._resumed = state.rows, True
        return True

    def run(self) -> State:
        """Learn to the end of the stream, or until it is stopped."""
        try:
            state = self.trainer.run(self._after_batch)
        except BadInput:
            self.keep()
            raise
        except Exception as error:
            if not self._resumed:
                raise
            raise BadInput(  # a state that no run wrote fails where it is used
                f"{self.path} cannot be resumed ({reason(error)})",
                place=str(self.path),
                remedy=StartOver(str(self.path)),
            ) from error
        self.keep()
        return state

    def keep(self) -> None:
        state = self.trainer.state
        if self.path is not None and state is not None and state.rows > self._kept:
            checkpoints.write(self.path, state, self.trainer.plan, self.trainer.stream.parts, self.trainer.ledger)
            self._kept = state.rows

    def _after_batch(self, trainer: Trainer) -> bool:
        self.show(trainer)
        if trainer.state is not None and trainer.state.rows - self._kept >= self.every:
            self.keep()
        return self.stop.reason is None


def interrupted(problem: str, checkpoints: object) -> Interrupted:
    """Why a run ended early, and how to go on: from its checkpoints, or with one in a next run where it has none."""
    if checkpoints is None:
        return Interrupted(problem, remedy=SetArgument("checkpoint", to="let a next run resume from there"))
    return Interrupted(problem, remedy=f"run the same again to resume from {checkpoints}")
