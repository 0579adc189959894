"""Trials with few labels: every criterion on the same draw. Used by quanz2012 and ssl_book."""
