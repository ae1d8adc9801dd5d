"""The environment that `make run` makes holds all that the server imports."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

WITHOUT_THE_REST = """
import sys
from importlib.abc import MetaPathFinder
from importlib.metadata import packages_distributions

locked = set(sys.argv[1:])
distributions = packages_distributions()

class OnlyLocked(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        owners = {owner.lower().replace("_", "-") for owner in distributions.get(name, ())}
        if owners and not owners & locked:
            raise ModuleNotFoundError(f"{name} is of {owners}, which the lock does not have")

sys.meta_path.insert(0, OnlyLocked())
"""


def test_every_part_of_the_server_starts_on_the_runtime_lock_alone() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    locked = re.findall(r"^([a-z0-9.-]+)(?:\[.*\])?==", lock, re.MULTILINE)
    parts = [
        "import django",
        "django.setup()",
        "import pyramid_site.wsgi, pyramid_site.urls, pyramid_site.management.commands.run",
        "import gunicorn.app.wsgiapp, gunicorn.workers.gthread",
        "import celery.bin.celery, celery.bin.worker, celery.bin.beat, celery.beat",
        "import celery.concurrency.prefork, celery.worker.worker, kombu.transport.redis",
        "from django.core.management import get_commands, load_command_class",
        "[load_command_class(app, name) for name, app in get_commands().items()]",
        "from django.urls import resolve",
        "[resolve(path) for path in ('/api/v1/schema', '/api/docs', '/admin/')]",
    ]
    program = "\n".join(
        [
            WITHOUT_THE_REST,
            "import os",
            "os.environ['DJANGO_SETTINGS_MODULE']='pyramid_site.settings'",
            *parts,
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *locked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
