"""Shared set-up."""

import warnings

with warnings.catch_warnings():
    # pyAgrum's C++ modules crash the interpreter when their own deprecation warning is an error
    warnings.simplefilter("ignore")
    import pyagrum

    pyagrum.ShaferShenoyLIMIDInference(pyagrum.InfluenceDiagram())
