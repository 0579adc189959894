"""
Sort mails with 80 labels
=========================

Someone has read 80 of 480 mails and said what they are about. Which of the others are about billing, and how often will
that be wrong? The mails are made by ``examples/topics.py``: words of the topic, words of other topics, and common ones.
"""

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import ComplementNB
from sklearn.pipeline import make_pipeline
from topics import make

from foldless import FoldlessSearch

mails = make(480).sample(frac=1, random_state=0)
labeled, pool = mails[:80], mails[80:]
print(labeled.text.iloc[0])

# %%
# Two families of models on the words, chosen together. The preparation is a part of the model, so that words of rows
# left out are not seen:
models = {
    "logistic": (
        make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=500)),
        {"logisticregression__C": [0.1, 1, 10]},
    ),
    "bayes": (make_pipeline(TfidfVectorizer(), ComplementNB()), {"complementnb__alpha": [0.1, 1]}),
}
search = FoldlessSearch(models, random_state=0).fit(labeled.text, labeled.topic, X_unlabeled=pool.text)
print(search.selection_.accuracy_line)

# %%
# The answer: the mails about billing, the most certain ones first. Here we know the truth:
answers = search.predict_frame(pool.text).set_index(pool.index).assign(text=pool.text)
billing = answers[answers.predicted == "billing"].sort_values("predicted_probability", ascending=False)
print(billing[["predicted_probability", "text"]].head(5).to_string(index=False, max_colwidth=70))
right = (pool.topic.loc[billing.index] == "billing").mean()
print(f"\n{len(billing)} of {len(pool)} mails are about billing; of these {right:.0%} truly are")
