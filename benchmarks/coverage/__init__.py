"""Whether intervals, bounds and alarms keep what they say."""
