"""Several files of a stream at once: a learner for each part of them, and the average of their weights."""
