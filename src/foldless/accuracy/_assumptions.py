"""What estimates of accuracy assume, in sentences, and the confidence that their intervals have by default."""

CONFIDENCE = 0.95
ONE_POPULATION = "labels and new rows are independent draws from one population"
SAME_POOL = "labels, pool and new rows are independent draws from one population"
DRAWN = (
    "labels were drawn from one population with the stated probabilities, and new rows come from the same population"
)
ROUGH = "the interval is a large-sample interval, checked by simulation: it is not a guarantee"
CHOSEN = "the candidate was chosen in this search only, not in other searches with the same labels"
UNSEEN = "the model was neither trained nor chosen with these labels"
