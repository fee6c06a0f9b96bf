"""darc: hold the equations of a model against measured signals.

    import darc
    car = darc.Model("car.darc")
    found = car.check("equal", "monday.csv", "friday.csv", tolerance=0.01)
    found.verdict     # "consistent", "inconsistent", "undecided"
    print(found)      # the report

A recording is a file name, a dict of NumPy arrays, a pandas DataFrame or a
darc.Recording.  Errors are exceptions: darc.ModelError, darc.DataError,
darc.LimitError, darc.UsageError, with file, line and column.
"""

from ._described import (Candidate, Change, Decision, Equation, Estimate,
                         Output, Stretch, Value)
from ._library import DataError, Error, LimitError, ModelError, UsageError
from ._model import Model, assess, compare
from ._recording import Recording, each, read
from ._results import (Agreement, Campaign, Check, Credibility, Elimination,
                       Estimation, Fulfilment, Identification, Isolation, Plan,
                       Result)
from ._version import VERSION

__all__ = [
    "Agreement", "Campaign", "Candidate", "Change", "Check", "Credibility",
    "DataError", "Decision", "Elimination", "Equation", "Error", "Estimate",
    "Estimation", "Fulfilment", "Identification", "Isolation", "LimitError",
    "Model", "ModelError", "Output", "Plan", "Recording", "Result", "Stretch",
    "UsageError", "Value", "assess", "compare", "each", "read",
]
__version__ = VERSION
