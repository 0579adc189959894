"""What users receive: selections, comparisons, evaluations, estimates and class shares."""
