#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a row of the table, and appends it to the file ROWS for the page.

usage: row.py ROWS WHAT PEER UNIT GOAL FILE [PEER_FILE]

FILE has a round on each line: our figure and the peer's; or PEER_FILE has the peer's. Both figures are medians. So is the
ratio, of the rounds' own: a machine that changes its pace between two rounds does not change it. What stands in brackets is
where half of the rounds' ratios are.
"""
import statistics
import sys

rows, what, peer, unit, goal, *files = sys.argv[1:]
columns = [[line.split() for line in open(file)] for file in files]
if len(files) == 1:
    pairs = [(float(a), float(b)) for a, b in columns[0]]
else:
    pairs = [(float(a[0]), float(b[0])) for a, b in zip(*columns)]
ours, theirs = (statistics.median(side) for side in zip(*pairs))
ratios = [a / b for a, b in pairs]
low, ratio, high = statistics.quantiles(ratios, method="inclusive") if len(ratios) > 1 else ratios * 3


def figure(value):
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


print(f"{what:34} {figure(ours):>8} {unit:3}  {peer:26} {figure(theirs):>8} {unit:3}  {ratio:5.2f}x "
      f"({low:.2f} to {high:.2f})   goal {goal}", flush=True)
with open(rows, "a") as file:
    cells = [what, figure(ours), peer, figure(theirs), unit, f"{ratio:.3f}", f"{low:.3f}", f"{high:.3f}", goal,
             str(len(pairs))]
    print("\t".join(cells), file=file)
