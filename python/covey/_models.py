"""The privacy models as classes: what a policy promises, with editors' help for the parameters.

Each says the same as the mapping in a policy: ``KAnonymity(5)`` is ``{"model": "k-anonymity", "k": 5}``. Numbers are
exact: a ``Decimal``, a ``Fraction`` or a text such as ``"5/3"`` is taken as it is, a float as the fewest digits that
mean it. The library checks the bounds; ``covey.models()`` lists them.
Sources are spelt out in docs/references.md.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Union

Number = Union[int, float, str, Decimal, Fraction]


class Model:
    """A promise about a release.

    Args:
        name: as in policies, ``"k-anonymity"``.
        attribute: the sensitive attribute it is about; may be left out where a policy has one.
        joint: it is about the combination of all sensitive attributes.
        parameters: as in policies; ``_`` may stand for ``-``.
    """

    model: ClassVar[str] = ""

    def __init__(
        self, name: str | None = None, /, *, attribute: str | None = None, joint: bool = False, **parameters: Any
    ) -> None:
        self.name = name or self.model
        self.attribute = attribute
        self.joint = joint
        self.parameters = {key.replace("_", "-"): value for key, value in parameters.items() if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """The promise as a policy has it."""
        keys: dict[str, Any] = {"model": self.name, **self.parameters}
        if self.attribute is not None:
            keys["attribute"] = self.attribute
        if self.joint:
            keys["joint"] = True
        return keys

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __repr__(self) -> str:
        words = [f"{key.replace('-', '_')}={value!r}" for key, value in self.to_dict().items() if key != "model"]
        if type(self) is Model:
            words.insert(0, repr(self.name))
        return f"{type(self).__name__}({', '.join(words)})"


class KAnonymity(Model):
    """Every class has at least k rows. Source: Sweeney 2002."""

    model = "k-anonymity"

    def __init__(self, k: int, **more: Any) -> None:
        super().__init__(k=k, **more)


class DistinctLDiversity(Model):
    """Every class has at least l different sensitive values. Source: Machanavajjhala et al. 2007."""

    model = "distinct-l-diversity"

    def __init__(self, l: int, **more: Any) -> None:
        super().__init__(l=l, **more)


class ProbabilisticLDiversity(Model):
    """No sensitive value has a share above 1/l in its class. Source: Xiao and Tao 2006."""

    model = "probabilistic-l-diversity"

    def __init__(self, l: Number, **more: Any) -> None:
        super().__init__(l=l, **more)


class EntropyLDiversity(Model):
    """The entropy of the sensitive values of a class is at least log l. Source: Machanavajjhala et al. 2007, Definition 4.1."""

    model = "entropy-l-diversity"

    def __init__(self, l: Number, **more: Any) -> None:
        super().__init__(l=l, **more)


class RecursiveCLDiversity(Model):
    """The most frequent value of a class is less than c times as frequent as all but the l - 1 most frequent. Source: Machanavajjhala et al. 2007, Definition 4.2."""

    model = "recursive-cl-diversity"

    def __init__(self, c: Number, l: int, **more: Any) -> None:
        super().__init__(c=c, l=l, **more)


class AlphaKAnonymity(Model):
    """k-anonymity, and no sensitive value (or not that one) with a share above alpha. Source: Wong et al. 2006."""

    model = "alpha-k-anonymity"

    def __init__(self, alpha: Number, k: int, value: str | None = None, **more: Any) -> None:
        super().__init__(alpha=alpha, k=k, value=value, **more)


class PSensitiveKAnonymity(Model):
    """k-anonymity with at least p different sensitive values. Source: Truta and Vinay 2006."""

    model = "p-sensitive-k-anonymity"

    def __init__(self, p: int, k: int, **more: Any) -> None:
        super().__init__(p=p, k=k, **more)


class TCloseness(Model):
    """The distribution of a class is at most t away from that of the table.

    distance: equal, ordered, numeric, hierarchical, kl, js or js-smoothed. Source: Li et al. 2007.
    """

    model = "t-closeness"

    def __init__(self, t: Number, distance: str = "equal", **more: Any) -> None:
        super().__init__(t=t, distance=distance, **more)


class BasicBetaLikeness(Model):
    """The share of no value grows by more than the factor 1 + beta. Source: Cao and Karras 2012, Definition 2."""

    model = "basic-beta-likeness"

    def __init__(self, beta: Number, **more: Any) -> None:
        super().__init__(beta=beta, **more)


class EnhancedBetaLikeness(Model):
    """The share of no value grows by more than the factor 1 + min(beta, -ln of it). Source: Cao and Karras 2012, Definition 3."""

    model = "enhanced-beta-likeness"

    def __init__(self, beta: Number, **more: Any) -> None:
        super().__init__(beta=beta, **more)


class DeltaDisclosure(Model):
    """The logarithm of share in the class over share in the table stays below delta. Source: Brickell and Shmatikov 2008."""

    model = "delta-disclosure"

    def __init__(self, delta: Number, **more: Any) -> None:
        super().__init__(delta=delta, **more)


class KEAnonymity(Model):
    """A group has k different sensitive numbers that span at least e. Source: Zhang et al. 2007, definition of (k, e)-anonymity."""

    model = "ke-anonymity"

    def __init__(self, k: int, e: Number, **more: Any) -> None:
        super().__init__(k=k, e=e, **more)


class MinLength(Model):
    """What is published of an attribute is nowhere narrower than length. Source: Hore et al. 2007, section 3, constraint (3)."""

    model = "min-length"

    def __init__(self, length: Number, attribute: str, **more: Any) -> None:
        super().__init__(attribute=attribute, length=length, **more)


class SlicedLDiversity(Model):
    """No sensitive value can be linked to a person with a probability above 1/l in a sliced table. Source: Li et al. 2012."""

    model = "sliced-l-diversity"

    def __init__(self, l: Number, **more: Any) -> None:
        super().__init__(l=l, **more)


class MInvariance(Model):
    """A class has m rows of different values, and a person the same values in every release. Source: Xiao and Tao 2007."""

    model = "m-invariance"

    def __init__(self, m: int, **more: Any) -> None:
        super().__init__(m=m, **more)


class PPrivate(Model):
    """What is published follows a target distribution. Source: Koudas et al. 2009, Definition 3.2."""

    model = "p-private"

    def __init__(self, target: Any = None, **more: Any) -> None:
        super().__init__(target=target, **more)
