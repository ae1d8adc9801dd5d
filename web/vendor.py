"""`python -m web.vendor`: fetches the files of others that the client and its tests run on.

npm is asked for exact versions, and `SHA256SUMS` beside the files says what was taken. Only this
writes into those folders.
"""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NPM = Path(sys.executable).with_name("npm")
SUMS = "SHA256SUMS"


class Package(NamedTuple):
    """What is taken of one npm package, and the digest that npm gives for the whole of it."""

    name: str
    integrity: str
    files: tuple[str, ...]
    folder: Path


PACKAGES = (
    Package(
        "lit-html@3.3.3",
        "sha512-el8M6jK2o3RXBnrSHX3ZKrsN8zEV63pSExTO1wYJz7QndGYZ8353e2a5PPX+qHe2aGayfnchQmkAojaWAREOIA==",
        ("lit-html.js", "LICENSE"),
        ROOT / "web/static/web/vendor/lit-html",
    ),
    Package(
        "axe-core@4.14.1",
        "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
        ("axe.min.js", "LICENSE"),
        ROOT / "tests/web/vendor/axe-core",
    ),
)


def fetch(package: Package) -> None:
    """Takes the named files, without the addresses of source maps that are not taken."""
    with tempfile.TemporaryDirectory() as work:
        packed = subprocess.check_output([NPM, "pack", "--json", package.name], cwd=work)  # noqa: S603 npm of the environment
        about = json.loads(packed)[0]
        if about["integrity"] != package.integrity:
            raise SystemExit(f"{package.name} is another than the one that was looked at")
        package.folder.mkdir(parents=True, exist_ok=True)
        with tarfile.open(Path(work) / about["filename"]) as archive:
            for name in package.files:
                content = archive.extractfile(f"package/{name}")
                assert content, name  # noqa: S101 a file, as the digest says
                text = re.sub(rb"\n//# sourceMappingURL=\S+", b"", content.read())
                (package.folder / name).write_bytes(text)
    sums = (
        f"{hashlib.sha256((package.folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in package.files
    )
    (package.folder / SUMS).write_text("".join(sums))


if __name__ == "__main__":
    for each in PACKAGES:
        fetch(each)
