"""Linear classifiers: whole paths of C at once, an L1 penalty, and naive Bayes."""
