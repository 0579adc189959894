"""Chapelle, Schölkopf and Zien, editors (2006). Semi-supervised learning. Chapter 21, the benchmark."""
