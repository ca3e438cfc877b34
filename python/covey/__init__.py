"""covey: publishes personal microdata safely.

    import covey

    release = covey.anonymize(frame, quasi=["age", "zip"], sensitive="disease", privacy=[covey.KAnonymity(5)])
    release.verify().holds
    release.to_pandas()
    release.query("SELECT COUNT(*) WHERE age < 40")
    release.save("release")

Everything is done by the library that the command ``covey`` stands on, with the same results; Ctrl-C stops the work,
other threads go on meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import Cancelled, CoveyWarning, Error, Infeasible, InputError, SystemError_
from ._hierarchy_lines import hierarchy
from ._policy import Policy
from ._release import Answer, Release, Verdict
from ._tables import (
    Comparison,
    Inspection,
    anonymize,
    attacks,
    compare,
    formats,
    inspect,
    methods,
    models,
    open,
    presets,
)

if TYPE_CHECKING:
    from ._combinations import combinations
    from ._files.reading import read
    from ._models import (
        AlphaKAnonymity,
        BasicBetaLikeness,
        DeltaDisclosure,
        DistinctLDiversity,
        EnhancedBetaLikeness,
        EntropyLDiversity,
        KAnonymity,
        KEAnonymity,
        MInvariance,
        MinLength,
        Model,
        PPrivate,
        ProbabilisticLDiversity,
        PSensitiveKAnonymity,
        RecursiveCLDiversity,
        SlicedLDiversity,
        TCloseness,
    )

__version__ = _core.version

_MODELS = (
    "AlphaKAnonymity",
    "BasicBetaLikeness",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "KAnonymity",
    "KEAnonymity",
    "MInvariance",
    "MinLength",
    "Model",
    "PPrivate",
    "ProbabilisticLDiversity",
    "PSensitiveKAnonymity",
    "RecursiveCLDiversity",
    "SlicedLDiversity",
    "TCloseness",
)

__all__ = [
    "AlphaKAnonymity",
    "Answer",
    "BasicBetaLikeness",
    "Cancelled",
    "Comparison",
    "CoveyWarning",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EnhancedBetaLikeness",
    "EntropyLDiversity",
    "Error",
    "Infeasible",
    "InputError",
    "Inspection",
    "KAnonymity",
    "KEAnonymity",
    "MInvariance",
    "MinLength",
    "Model",
    "PPrivate",
    "PSensitiveKAnonymity",
    "Policy",
    "ProbabilisticLDiversity",
    "RecursiveCLDiversity",
    "Release",
    "SlicedLDiversity",
    "SystemError_",
    "TCloseness",
    "Verdict",
    "anonymize",
    "attacks",
    "combinations",
    "compare",
    "formats",
    "hierarchy",
    "inspect",
    "methods",
    "models",
    "open",
    "presets",
    "read",
]


def __getattr__(name: str) -> Any:
    """Models and files are loaded when the first is asked for: most programs do not wait for them."""
    if name == "read":
        from ._files import reading

        return reading.read
    if name == "combinations":
        from . import _combinations

        return _combinations.combinations
    if name in _MODELS:
        from . import _models

        return getattr(_models, name)
    raise AttributeError(f"module 'covey' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
