"""Multinomial naive Bayes whose prior is smoothed like its word probabilities: P(c) = (N_c + 1) / (N + K).

P(w | c) = (1 + Σ f) / (V + Σ_w Σ f), as in scikit-learn with ``alpha=1``, where the prior is N_c / N.
"""

from typing import Any

import numpy as np
from sklearn import naive_bayes

from foldless.saving._names import saved


@saved("foldless.learners")
class MultinomialNB(naive_bayes.MultinomialNB):
    """Multinomial naive Bayes with a smoothed prior.

    Parameters and attributes are those of `sklearn.naive_bayes.MultinomialNB`, whose prior is N_c / N. With
    ``class_prior`` given or ``fit_prior=False`` both classifiers are the same.

    References
    ----------
    McCallum & Nigam (1998). A comparison of event models for naive Bayes text classification. Equation 6.

    Witten & Frank (2005). Data Mining. WEKA's NaiveBayesMultinomial, which smooths the prior too.

    Examples
    --------
    >>> import numpy as np
    >>> from foldless.learners import MultinomialNB
    >>> model = MultinomialNB().fit([[2, 0], [1, 0], [0, 1]], ["a", "a", "b"])
    >>> np.exp(model.class_log_prior_)
    array([0.6, 0.4])
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "MultinomialNB":
        """Fit the model on word counts X with labels y."""
        super().fit(X, y, sample_weight)
        return self._smooth()

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "MultinomialNB":
        """Update the counts with more rows."""
        super().partial_fit(X, y, classes, sample_weight)
        return self._smooth()

    def _smooth(self) -> "MultinomialNB":
        if self.class_prior is None and self.fit_prior:
            counts = self.class_count_ + 1
            self.class_log_prior_ = np.log(counts / counts.sum())
        return self
