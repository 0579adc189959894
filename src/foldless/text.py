"""Documents as the words that are frequent in a class."""

from foldless.data.class_words import ClassWordTransformer, ClassWordVectorizer

__all__ = ["ClassWordTransformer", "ClassWordVectorizer"]
