"""Programs that some tests need and a machine may lack. REQUIRE_PROGRAMS=1 makes that a failure."""

import os
import shutil

import pytest

SYSTEM = os.pathsep.join(["/usr/local/sbin", "/usr/sbin"])  # where Debian puts servers


def needed(*names: str, package: str) -> str:
    """Return the path of the first of these programs that is there; without one, skip the test."""
    for name in names:
        if found := shutil.which(name) or shutil.which(name, path=SYSTEM):
            return found
    reason = f"{names[0]} is not in the PATH (on Debian: apt-get install {package})"
    if os.environ.get("REQUIRE_PROGRAMS") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
