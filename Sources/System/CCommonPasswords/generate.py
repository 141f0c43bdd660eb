#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes filter.c: a Bloom filter of the passwords that people choose, made of words.txt.

usage: python3 Sources/System/CCommonPasswords/generate.py

The entries are folded as Sources/Tenant/Rules/CommonPasswords.swift folds what it looks for; both have to be changed
together. No entry can be read out of the filter, and one of 100,000 other texts is taken for an entry.
"""
import itertools
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
BITS_PER_ENTRY = 24
HASHES = 17
FOLD = str.maketrans("013457$@", "oleastsa")
ENDS = ["1", "2", "3", "7", "11", "12", "13", "21", "22", "23", "69", "77", "88", "99", "00", "01", "007", "101", "111", "123", "321",
        "666", "777", "1234", "4321", "12345", "123456"]
STARTS = ["my", "the", "i", "1", "123"]
YEARS = [str(year) for year in range(1960, 2036)]
# What people put a year behind, and what they put together.
DATED = """password passwort passord welcome admin login summer winter spring autumn sommer january february march april june july august
september october november december monday friday qwerty secret letmein football baseball soccer dragon london paris christmas michael daniel
david anna maria alex james john princess angel love iloveyou changeme company office server system test hello""".split()
PAIRED = """password secret welcome admin letmein qwerty dragon monkey master shadow sunshine princess football baseball soccer superman batman
iloveyou love hello summer winter spring autumn computer internet freedom forever angel baby lucky happy money power magic star tiger
eagle lion wolf bear red blue green black white silver golden diamond test login user private access security""".split()


def words():
    lines = (HERE / "words.txt").read_text(encoding="ascii").splitlines()
    return [word for line in lines for word in line.split("#")[0].split()]


def entries():
    base = words()
    found = set(base)
    plain = [word for word in base if word.isalpha() and 3 <= len(word) <= 12]
    found.update(word + end for word in plain for end in ENDS)
    found.update(start + word for word in plain for start in STARTS)
    found.update(word + word for word in base if len(word) <= 10)
    found.update(word + word + word for word in base if len(word) <= 6)
    found.update(word[::-1] for word in plain)
    found.update(word + year for word in DATED for year in YEARS)
    found.update(a + b for a, b in itertools.permutations(PAIRED, 2))
    found.update(character * length for character in "abcdefghijklmnopqrstuvwxyz0123456789" for length in range(4, 33))
    runs = ["abcdefghijklmnopqrstuvwxyz", "01234567890123456789012345", "qwertyuiopasdfghjklzxcvbnm", "qwertyuiop", "asdfghjkl"]
    runs += [run[::-1] for run in runs]
    found.update(run[start:start + length] for run in runs for start in range(len(run)) for length in range(4, len(run) + 1))
    return sorted({entry.lower().translate(FOLD) for entry in found if len(entry) >= 4})


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def mixed(value):
    """The last steps of SplitMix64: each bit depends on all of them."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    value = (value ^ value >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return value ^ value >> 31


def main():
    folded = entries()
    size = (len(folded) * BITS_PER_ENTRY + 63) // 64 * 64
    filter = [0] * (size // 64)
    for entry in folded:
        hash = fnv1a(entry.encode("ascii"))
        first, step = mixed(hash), mixed(hash ^ 0x9E3779B97F4A7C15) | 1
        for index in range(HASHES):
            bit = (first + index * step & 0xFFFFFFFFFFFFFFFF) % size
            filter[bit // 64] |= 1 << bit % 64
    rows = ["    " + " ".join(f"0x{word:x}," for word in filter[start:start + 6]) for start in range(0, len(filter), 6)]
    text = ["// SPDX-License-Identifier: Apache-2.0", f"/* Made by generate.py of {len(folded)} entries; not to be changed by hand. */",
            '#include "filter.h"', "", f"const size_t na_common_entries = {len(folded)};", f"const size_t na_common_hashes = {HASHES};",
            f"const size_t na_common_bits = {size};", "const uint64_t na_common_filter[] = {", *rows, "};", ""]
    (HERE / "filter.c").write_text("\n".join(text), encoding="ascii")
    wrong = (1 - math.exp(-HASHES * len(folded) / size)) ** HASHES
    print(f"{len(folded)} entries, {size // 8} bytes, {wrong:.1e} of other texts taken for one", file=sys.stderr)


main()
