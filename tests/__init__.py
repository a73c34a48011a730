"""The tests; `oracle` is an independent implementation of the model."""
