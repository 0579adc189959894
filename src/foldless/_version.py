"""The version, read by the build, and the release since which the same fits give the same answers."""

__version__ = "0.4.0"
ANSWERS_SINCE = "0.1.0"  # part of the journal's keys: raised only by a release that changes answers
