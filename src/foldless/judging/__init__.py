"""What criteria share, as functions of arrays: scores, cross-fitted answers, copies, distances."""
