"""Which way of choosing is good: regret of criteria, of strategies of labeling and of methods that count."""
