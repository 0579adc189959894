"""Balikas et al. (2015). Efficient model selection for regularized classification by exploiting unlabeled data."""
