"""Tests of guess tokens."""
