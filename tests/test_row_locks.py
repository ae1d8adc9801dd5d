"""Row locks stand together, where the order in which they are taken can be read."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKING = ("select_for_update", "FOR UPDATE", "FOR SHARE")


@pytest.mark.parametrize("app", ["games", "leaderboards", "players"])
def test_the_row_locks_of_an_app_are_in_its_queries(app: str) -> None:
    locking = [
        str(path.relative_to(ROOT))
        for path in (ROOT / app).rglob("*.py")
        if any(word in path.read_text() for word in LOCKING)
    ]
    assert locking == [f"{app}/queries.py"]
