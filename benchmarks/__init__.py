"""Measurements that are run by hand: speed against peers, memory, and the tables of the papers."""
