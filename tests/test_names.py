"""One name for one thing."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("games", "leaderboards", "players", "pyramid_site", "web", "benchmarks", "tools")
FOUND_BY_NAME = {"Command", "Meta", "Migration"}
"""Names that Django looks for."""


def test_no_two_public_classes_share_a_name() -> None:
    where = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    where[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    shared = {name: found for name, found in where.items() if len(found) > 1}
    assert {name: shared[name] for name in shared.keys() - FOUND_BY_NAME} == {}
