"""What estimates of accuracy assume, in sentences, and the confidence that their intervals have by default."""

CONFIDENCE = 0.95
ONE_POPULATION = "labels and new rows are independent draws from one population"
SAME_POOL = "labels, pool and new rows are independent draws from one population"
DRAWN = "labels were drawn from one population with the probabilities that are given, and new rows are of it too"
ROUGH = "the interval is one of large samples, checked by simulation: it is no guarantee"
CHOSEN = "the candidate was chosen by these labels in this search, and by no other that is not counted here"
UNSEEN = "the model was not trained on these labels, nor chosen by them"
