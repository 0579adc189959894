"""Inequalities, one file each: functions of arrays that know no classifier."""
