#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a page and a chart of the rows of a measurement.

usage: page.py ROWS MACHINE FOLDER       writes FOLDER/bench.md and FOLDER/bench.svg
"""
import html
import math
import re
import sys

source, machine, folder = sys.argv[1:]
names = ["what", "ours", "peer", "theirs", "unit", "ratio", "low", "high", "goal", "rounds"]
rows = [dict(zip(names, line.rstrip("\n").split("\t"))) for line in open(source)]


def times(text):
    """What a goal counts in: `<= 4x` and `<= 1/5x` are ratios, `< 16 MiB` is ours alone."""
    match = re.fullmatch(r"([<>])=? ([0-9.]+)(?:/([0-9.]+))?(x| \w+)", text)
    return match and (match[1], float(match[2]) / float(match[3] or 1), match[4] == "x")


def score(row, value):
    """How many times better than its goal a ratio is; nil without one."""
    goal = times(row["goal"])
    if not goal:
        return None
    sense, limit, is_ratio = goal
    if not is_ratio:
        value = value / float(row["ratio"]) * float(row["ours"])
    return limit / value if sense == "<" else value / limit


def verdict(row):
    value = score(row, float(row["ratio"]))
    return "–" if value is None else "met" if value >= 1 else "missed"


def chart():
    marked = [row for row in rows if times(row["goal"])]
    width, left, line, top = 960, 390, 30, 46
    height = top + line * len(marked) + 20
    least, most = math.log(0.125), math.log(4)

    def x(value):
        return left + (width - left - 150) * (min(max(math.log(value), least), most) - least) / (most - least)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="13">',
        "<title>Each row beside its goal; right of the line it is met</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{x(1)}" y="18" text-anchor="middle" fill="#1f2328">goal</text>',
    ]
    for value in [0.125, 0.25, 0.5, 1, 2, 4]:
        weight, colour = ("2", "#1f2328") if value == 1 else ("1", "#d0d7de")
        parts.append(f'<line x1="{x(value):.1f}" y1="{top - 8}" x2="{x(value):.1f}" y2="{height - 16}" stroke="{colour}" '
                     f'stroke-width="{weight}"/>')
        label = f"{value:g}×" if value >= 1 else f"1/{1 / value:g}"
        parts.append(f'<text x="{x(value):.1f}" y="{top - 14}" text-anchor="middle" font-size="11" fill="#59636e">{label}</text>')
    for number, row in enumerate(marked):
        y = top + line * number + line / 2
        ends = sorted(x(score(row, float(row[end]))) for end in ["low", "high"])
        here = score(row, float(row["ratio"]))
        colour = "#0969da" if here >= 1 else "#bc4c00"
        label = html.escape(f'{row["what"]} : {row["peer"]}')
        figures = html.escape(f'{float(row["ratio"]):.2f}×, goal {row["goal"].replace("<=", "≤").replace(">=", "≥")}')
        parts += [
            f'<text x="{left - 12}" y="{y + 4}" text-anchor="end" fill="#1f2328" font-size="11.5">{label}</text>',
            f'<line x1="{ends[0]:.1f}" y1="{y}" x2="{ends[1]:.1f}" y2="{y}" stroke="{colour}" stroke-width="3"/>',
            f'<circle cx="{x(here):.1f}" cy="{y}" r="5" fill="{colour}"/>',
            f'<text x="{width - 140}" y="{y + 4}" fill="#59636e" font-size="11.5">{figures}</text>',
        ]
    return "\n".join(parts + ["</svg>", ""])


def table():
    lines = ["| | nativeauth | beside it | ratio | half of the rounds | goal | |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        goal = row["goal"].replace("<=", "≤").replace(">=", "≥")
        lines.append(
            f'| {row["what"]} | {row["ours"]} {row["unit"]} | {row["peer"]}: {row["theirs"]} {row["unit"]} '
            f'| {float(row["ratio"]):.2f}x | {float(row["low"]):.2f} to {float(row["high"]):.2f} | {goal} | {verdict(row)} |')
    return "\n".join(lines)


page = f"""# How fast it is

`make bench` measures, each row against its peer in the same run, in turn, and prints this table; it takes about six minutes.
`make bench-page` also writes this page and the chart. Times vary with the machine and what else it does; ratios much less. A row
that misses its goal fails nothing.

Measured on {machine}.

![Each row beside its goal](bench.svg)

{table()}

- *token*, *--help*, *help of a command* and *status* are whole processes, started in turn with a C program that does nothing but
  read the same file, or print the same text.
- *sign-in with a code, whole process* is `nativeauth signin` at a served tenant; its peer makes the same three requests by
  libcurl. Both get the code from the mail as soon as it is there.
- *sign-ins*, *refreshes* are complete flows per second at a served tenant, by four connections for each core, durable before
  they are answered. A sign-in with a code is three requests, a mail, and two RSA signatures; the peer is half of what `openssl speed` signs
  on all cores with nothing else to do.
- [Glewlwyd](https://github.com/babelouest/glewlwyd) is an OpenID provider in C, as Debian has it, with SQLite, on the same machine.
- The last rows are two servers with one PostgreSQL behind nginx, beside one server with SQLite.
"""
with open(folder + "/bench.md", "w") as file:
    file.write(page)
with open(folder + "/bench.svg", "w") as file:
    file.write(chart())
