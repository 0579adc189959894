"""Pfahringer, Reutemann and Mayo. A scheme that uses the test set for model selection in text classification."""
