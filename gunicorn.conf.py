"""How gunicorn serves, whoever starts it: it reads this file by itself, and its options win."""

import os
import shutil

from pyramid_site import settings

bind = [f"{settings.HOST}:{settings.PORT}"]
workers = settings.WEB_CONCURRENCY
threads = 8
worker_connections = 800  # with what else is open less than the 1,024 files that a process may have
worker_class = "pyramid_site.gunicorn_worker.Worker"
graceful_timeout = 25  # s for requests under way; Compose waits a little longer
control_socket_disable = True
sendfile = False  # a file is sent as any other reply: by whoever waits for its reader
# What a proxy says of a request is read by the settings TRUSTED_PROXIES and TLS alone. gunicorn
# would take its word, and through many a proxy a client's, for where the server's addresses begin.
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}
logger_class = "pyramid_site.gunicorn_worker.Log"
if os.path.isdir("/dev/shm"):  # noqa: PTH112, S108 the heartbeats of workers belong into memory
    worker_tmp_dir = "/dev/shm"  # noqa: S108

if settings.METRICS_PORT:
    bind.append(f"{settings.HOST}:{settings.METRICS_PORT}")
    # The counters of all workers, in files that each shares with the others: of this run alone.
    counts = settings.DATA_DIR / "metrics"
    shutil.rmtree(counts, ignore_errors=True)
    counts.mkdir(parents=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(counts)
