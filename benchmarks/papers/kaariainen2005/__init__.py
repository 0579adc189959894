"""Kääriäinen (2005). Semi-supervised model selection based on cross-validation."""
