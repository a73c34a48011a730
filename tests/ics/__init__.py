"""Tests of the endpoints that speak the protocol of Internet Chess Servers."""
