"""Documents as the words that are frequent in a class, weighed by log(1 + f) · log(N / n_i) and scaled to one length.

Of every class the k words that occur most often are kept, all of them where the k-th is tied; f is how often a word
occurs in a document, n_i the number of the N training documents that hold it. Rows are then scaled to the mean length
of the training documents. Everything is learned from the documents that ``fit`` is given.

References
----------
Witten & Frank (2005). Data Mining. The filter StringToWordVector of WEKA, which works per class.
Pfahringer, Reutemann & Mayo. A novel two stage scheme utilizing the test set for model selection. Section 3.
"""

from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer
from sklearn.preprocessing import normalize
from sklearn.utils import column_or_1d
from sklearn.utils.validation import check_is_fitted, check_non_negative, check_scalar, validate_data

from foldless.core import Array
from foldless.errors import BadInput
from foldless.saving._names import saved

WORD = r"[^ \r\n\t.,;:'\"()?!]+"  # what lies between WEKA's delimiters


@saved("foldless.text")
class ClassWordTransformer(TransformerMixin, BaseEstimator):
    """Features from counts of words, as `ClassWordVectorizer` makes them from documents.

    For collections that are counted once and split often: words that the training documents do not hold are dropped,
    so it makes no difference in which documents the vocabulary of the counts was found.

    Parameters
    ----------
    words_per_class : int
        The number of words that are kept for each class.

    Attributes
    ----------
    words_ : the columns of the counts that are kept
    idf_ : log(N / n_i) of each
    length_ : the mean length of the weighted training documents, to which all are scaled
    n_features_in_, feature_names_in_
        As in scikit-learn.
    """

    def __init__(self, words_per_class: int = 1000):
        self.words_per_class = words_per_class

    def fit(self, X: Any, y: Any) -> "ClassWordTransformer":
        """Learn words, weights and length from counts and classes."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any) -> Any:
        """The features of the documents that it learns from."""
        check_scalar(self.words_per_class, "words_per_class", Integral, min_val=1)
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=np.float64)
        check_non_negative(X, "ClassWordTransformer")
        counts = sparse.csr_matrix(X)
        self.words_ = frequent(counts, y, self.words_per_class)
        kept = counts[:, self.words_]
        self.idf_ = np.log(counts.shape[0] / np.bincount(kept.indices[kept.data > 0], minlength=kept.shape[1]))
        weighed = _weighed(kept, self.idf_)
        self.length_ = float(np.mean(np.sqrt(weighed.multiply(weighed).sum(axis=1))))
        return _scaled(weighed, self.length_)

    def transform(self, X: Any) -> Any:
        """Features of documents, one row each; one without any known word is zero."""
        check_is_fitted(self)
        counts = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64, ensure_non_negative=True)
        return _scaled(_weighed(sparse.csr_matrix(counts)[:, self.words_], self.idf_), self.length_)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """The names of the kept columns."""
        check_is_fitted(self)
        if input_features is None:
            named = getattr(self, "feature_names_in_", None)
            input_features = [f"x{at}" for at in range(self.n_features_in_)] if named is None else named
        return np.asarray(input_features, dtype=object)[self.words_]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


@saved("foldless.text")
class ClassWordVectorizer(TransformerMixin, BaseEstimator):
    """Documents as the words that are frequent in some class.

    Words are what lies between blanks, ends of lines, tabs and ``.,;:'"()?!``; there is no stemming.

    Parameters
    ----------
    words_per_class : int
        The number of words that are kept for each class.
    stop_words : "english", list of str or None
        Words that are left out, in upper and lower case; "english" is scikit-learn's list.
    lowercase : bool
        Whether documents are converted to lower case.

    Attributes
    ----------
    vocabulary_ : dict from words to columns, in alphabetical order
    idf_ : log(N / n_i) of each word
    length_ : the mean length of the weighted training documents, to which all are scaled

    Examples
    --------
    >>> from foldless.text import ClassWordVectorizer
    >>> documents = ["cats purr, cats sleep", "dogs bark", "dogs sleep"]
    >>> words = ClassWordVectorizer(words_per_class=1)
    >>> words.fit_transform(documents, ["cat", "dog", "dog"]).toarray().round(2)
    array([[0.59, 0.  ],
           [0.  , 0.59],
           [0.  , 0.59]])
    >>> words.get_feature_names_out()
    array(['cats', 'dogs'], dtype=object)
    """

    def __init__(self, words_per_class: int = 1000, *, stop_words: Any = "english", lowercase: bool = False):
        self.words_per_class = words_per_class
        self.stop_words = stop_words
        self.lowercase = lowercase

    def fit(self, X: Any, y: Any) -> "ClassWordVectorizer":
        """Learn words, weights and length from documents and classes."""
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any) -> Any:
        """The features of the documents that it learns from."""
        if y is None:
            raise BadInput("words are counted per class: ClassWordVectorizer requires y to be passed")
        stopped, y = self._stopped(), column_or_1d(y)
        if len(documents := _documents(X)) != len(y):
            raise BadInput(f"there are {len(documents)} documents and {len(y)} classes: pass one class per document")
        counter = self._counter()
        try:
            counts = counter.fit_transform(documents)
        except ValueError as error:
            raise BadInput(f"the documents contain no words: {error}") from error
        words = counter.get_feature_names_out()
        kept = np.array([word.lower() not in stopped for word in words])
        if not kept.any():
            raise BadInput("the documents contain only stop words: pass stop_words=None")
        transformer = ClassWordTransformer(self.words_per_class)
        features = transformer.fit_transform(counts[:, kept], y)
        self.vocabulary_ = {word: at for at, word in enumerate(words[kept][transformer.words_])}
        self.idf_, self.length_ = transformer.idf_, transformer.length_
        return features

    def transform(self, X: Any) -> Any:
        """Features of documents, one row each; one without any known word is zero."""
        check_is_fitted(self)
        counts = self._counter(vocabulary=self.vocabulary_).transform(_documents(X)).astype(np.float64)
        return _scaled(_weighed(counts, self.idf_), self.length_)

    def get_feature_names_out(self, input_features: Any = None) -> Array:  # noqa: ARG002  # scikit-learn passes it
        """The words, in the order of the columns."""
        check_is_fitted(self)
        return np.array(list(self.vocabulary_), dtype=object)

    def _counter(self, **settings: Any) -> CountVectorizer:
        return CountVectorizer(token_pattern=WORD, lowercase=self.lowercase, **settings)

    def _stopped(self) -> frozenset[str]:
        if self.stop_words is None:
            return frozenset()
        if isinstance(self.stop_words, str):
            if self.stop_words != "english":
                raise BadInput(f"stop_words must be 'english', a list of words or None, got {self.stop_words!r}")
            return ENGLISH_STOP_WORDS
        return frozenset(word.lower() for word in self.stop_words)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def frequent(counts: Any, y: Array, k: int) -> Array:
    """The columns of words that are among the k most frequent ones of some class; ties with the k-th are kept."""
    kept = np.zeros(counts.shape[1], dtype=bool)
    for label in np.unique(y):
        of_class = np.asarray(counts[y == label].sum(axis=0)).ravel()
        present = of_class[of_class > 0]
        least = np.partition(present, -k)[-k] if len(present) > k else 0
        kept |= (of_class > 0) & (of_class >= least)
    return np.flatnonzero(kept)


def _weighed(counts: Any, idf: Array) -> Any:
    """log(1 + f) · idf, in place."""
    counts.data = np.log1p(counts.data) * idf[counts.indices]
    counts.eliminate_zeros()
    return counts


def _scaled(rows: Any, length: float) -> Any:
    """Rows of one length; those of length zero stay."""
    return normalize(rows, copy=False) * length


def _documents(X: Any) -> list[str]:
    """One text per row; a frame or an array of one column is as good as a list."""
    if isinstance(X, str):
        raise BadInput(f"pass a list of documents, got the single text {X[:40]!r}: pass [text]")
    if getattr(X, "ndim", 1) == 2:
        if X.shape[1] != 1:
            raise BadInput(f"documents are one column of text, got {X.shape[1]}: name it in a ColumnTransformer")
        X = np.asarray(X)[:, 0]
    documents = list(X)
    for at, document in enumerate(documents):
        if not isinstance(document, str):
            raise BadInput(f"document {at} must be text, got {document!r}: replace missing documents by ''")
    return documents
