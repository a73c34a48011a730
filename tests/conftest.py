"""Shared set-up."""

import atexit
import os
import shutil
import tempfile
import warnings

# matplotlib's list of fonts is kept per user: one made by another installation may lack fonts
os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="ipomdp-tests-")
atexit.register(shutil.rmtree, os.environ["MPLCONFIGDIR"], ignore_errors=True)

with warnings.catch_warnings():
    # pyAgrum's C++ modules crash the interpreter when their own deprecation warning is an error
    warnings.simplefilter("ignore")
    import pyagrum

    pyagrum.ShaferShenoyLIMIDInference(pyagrum.InfluenceDiagram())
