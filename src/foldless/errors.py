"""What can go wrong, as a tree.

::

    FoldlessError
    ├── BadInput (ValueError)         data or an argument that cannot be used; the message names it and the remedy
    │   ├── AmbiguousLabels           −1 may be a class or a mark: the user must say which
    │   └── CannotAnswer              a criterion needs what the pool or the candidates do not give
    ├── CandidatesFailed (ValueError) every candidate failed to fit
    │   └── WrongTypes (TypeError)    each of them because of the type of what it was given
    ├── Unfinished                    stopped before one candidate was complete
    │   └── Interrupted               by Ctrl-C
    └── JournalError (ValueError)     the journal file cannot be used

    StoppedEarly (UserWarning)        a choice was made among the candidates that were complete
"""


class FoldlessError(Exception):
    """Base of everything foldless raises on purpose."""


class BadInput(FoldlessError, ValueError):
    """Data or an argument that cannot be used."""


class AmbiguousLabels(BadInput):
    """−1 may be a class or a mark for unlabeled rows, and nothing says which."""


class CannotAnswer(BadInput):
    """A criterion needs a pool or a response that it cannot have."""


class CandidatesFailed(FoldlessError, ValueError):
    """Every candidate failed to fit."""


class WrongTypes(CandidatesFailed, TypeError):
    """Every candidate failed because of the type of what it was given."""


class Unfinished(FoldlessError):
    """The run was stopped before one candidate was complete."""


class Interrupted(Unfinished):
    """Ctrl-C came before one candidate was complete."""


class JournalError(FoldlessError, ValueError):
    """The journal file cannot be used."""


class StoppedEarly(UserWarning):
    """The choice was made among the candidates that were complete when the run was stopped."""
