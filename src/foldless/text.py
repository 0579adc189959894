"""Documents as the words that are frequent in a class, or as the mean of the vectors of their words."""

from foldless.data.class_words import ClassWordTransformer, ClassWordVectorizer
from foldless.data.word_vectors import WordVectors

__all__ = ["ClassWordTransformer", "ClassWordVectorizer", "WordVectors"]
