"""Measurements, each a ratio of times taken in the same run."""
