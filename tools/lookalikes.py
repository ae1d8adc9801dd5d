"""Makes `players/lookalikes.txt` of Unicode's table of confusable characters.

    python tools/lookalikes.py confusables.txt > players/lookalikes.txt

`confusables.txt` is published with each version of Unicode, in its folder `security`.
"""

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

HEADER = """\
# Characters that look alike: a prototype; all those that are taken for it. In hexadecimal.
# Made by tools/lookalikes.py of the confusables.txt of Unicode {version}.
# Data (c) {year} Unicode, Inc., under the Unicode License v3: https://www.unicode.org/license.txt
"""
UNFIT = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}  # categories that no name holds


def table(lines: Iterable[str]) -> Iterator[str]:
    """The lines of our table, those of Unicode's being given.

    A character that NFKC turns into others is left out: no name that was cleaned holds one.
    """
    lookalikes = defaultdict(list)
    for line in lines:
        if match := re.match(r"([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA", line):
            character = chr(int(match[1], 16))
            kept = unicodedata.normalize("NFKC", character) == character
            if kept and unicodedata.category(character) not in UNFIT:
                lookalikes[match[2]].append(match[1])
    for prototype, characters in sorted(lookalikes.items()):
        yield f"{prototype};{' '.join(sorted(characters))}"


def main(path: str) -> None:
    lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    head = "\n".join(lines[:12])
    version, year = re.search(r"Version: ([\d.]+)", head), re.search(r"Date: (\d{4})", head)
    if version is None or year is None:
        sys.exit(f"{path} is no confusables.txt of Unicode")
    sys.stdout.write(HEADER.format(version=version[1], year=year[1]))
    sys.stdout.writelines(f"{line}\n" for line in table(lines))


if __name__ == "__main__":
    main(sys.argv[1])
