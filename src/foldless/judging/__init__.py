"""What criteria share, as functions of arrays: scores, cross-fitted answers, copies, distances."""

from foldless.judging._counted import EqualRows

__all__ = ["EqualRows"]
