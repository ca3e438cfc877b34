"""Where rows of a DataFrame go: exactly one number per partition, whatever Spark hashes."""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def _rotate(x: int, by: int) -> int:
    return (x << by | x >> 32 - by) & _MASK


def hash_of(number: int) -> int:
    """What Spark's ``hash`` gives for an integer column (Murmur3 with seed 42), as a signed number."""
    k = (number & _MASK) * 0xCC9E2D51 & _MASK
    k = _rotate(k, 15) * 0x1B873593 & _MASK
    h = (_rotate(42 ^ k, 13) * 5 + 0xE6546B64) & _MASK
    h ^= 4
    h = (h ^ h >> 16) * 0x85EBCA6B & _MASK
    h = (h ^ h >> 13) * 0xC2B2AE35 & _MASK
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h


def addresses(n: int) -> list[int]:
    """n integers: ``repartition(n, column)`` puts rows with the i-th of them into partition i."""
    found: dict[int, int] = {}
    number = 0
    while len(found) < n:
        found.setdefault(hash_of(number) % n, number)
        number += 1
    return [found[i] for i in range(n)]
