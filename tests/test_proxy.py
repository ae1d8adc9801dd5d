"""The proxy of ops/nginx, as a real nginx runs it, keeps no address of a player."""

import http.client
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pyramid_site.supervisor import came_up, end_with_parent
from tests import programs
from tests.services import free_port

CONF = Path(__file__).parent.parent / "ops/nginx"
PLAYER = "127.0.0.77"
FORWARDED = "203.0.113.9"
LOGGING = re.compile(r"^ *(log_format|access_log|error_log) .*?;\n", re.MULTILINE | re.DOTALL)


@contextmanager
def proxy(folder: Path, text: str, staff: str = "allow all;") -> Iterator[int]:
    """The proxy on a free port, before a web server that is gone."""
    nginx = programs.needed("nginx", package="nginx")
    (folder / "staff.conf").write_text(staff)
    port = free_port()
    text = text.replace("listen 8080", f"listen 127.0.0.1:{port}").replace(
        "$web:8000", "127.0.0.1:1"
    )
    inside = "".join(
        f"{name}_temp_path {folder};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; events {{}}\n"
        f"http {{ access_log /dev/stdout; error_log /dev/stderr; {inside} {text} }}"
    )
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [nginx, "-p", str(folder), "-c", "nginx.conf", "-e", "stderr"],
            stdout=log, stderr=log, preexec_fn=end_with_parent,
        )  # fmt: skip
    try:
        assert came_up(process, lambda: status(port) is not None), (folder / "log").read_text()
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


def status(port: int, target: str = "/api/v1/me?token=secret") -> int | None:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(PLAYER, 0))
    try:
        line.request("GET", target, headers={"X-Forwarded-For": FORWARDED})
        return line.getresponse().status
    except OSError:
        return None
    finally:
        line.close()


def logged(folder: Path, text: str) -> str:
    """What the proxy logs of a request that it cannot hand on, its access and error log."""
    folder.mkdir()
    with proxy(folder, text) as port:
        assert status(port) == 502
    return (folder / "log").read_text()


def test_a5_the_log_of_the_proxy_keeps_no_address_and_no_query(tmp_path: Path) -> None:
    text = (CONF / "http.conf").read_text()
    usual = logged(tmp_path / "usual", LOGGING.sub("", text))
    assert PLAYER in usual
    assert "token=secret" in usual
    kept = logged(tmp_path / "kept", text)
    assert '"GET /api/v1/me" 502' in kept
    for told in (PLAYER, FORWARDED, "secret"):
        assert told not in kept


def test_a5_both_proxies_log_alike() -> None:
    """Each server of both files: this machine's nginx may be too old to run the other one."""
    for name, servers in {"http": 1, "https": 2}.items():
        told = [match[1] for match in LOGGING.finditer((CONF / f"{name}.conf").read_text())]
        assert told == ["log_format", *["access_log", "error_log"] * servers]
    assert (CONF / "http.conf").read_text().count("error_log /dev/stderr alert;") == 1
    assert (CONF / "https.conf").read_text().count("error_log /dev/stderr alert;") == 2


@pytest.mark.parametrize(
    ("staff", "answer"),
    [("allow 192.0.2.0/24; deny all;", 403), ("allow 127.0.0.64/26; deny all;", 502)],
)
def test_e_the_admin_and_its_health_are_led_to_where_the_operator_says(
    tmp_path: Path, staff: str, answer: int
) -> None:
    closed = ("/admin", "/admin/", "/admin/login/?next=/", "/%61dmin/", "//admin/", "/readyz",
              "/x/../admin/", "/./readyz")  # fmt: skip
    with proxy(tmp_path, (CONF / "http.conf").read_text(), staff) as port:
        assert {target: status(port, target) for target in closed} == dict.fromkeys(closed, answer)
        for target in ("/", "/healthz", "/api/v1/me", "/administer"):
            assert status(port, target) == 502


def test_e_both_proxies_close_the_same() -> None:
    for name in ("http", "https"):
        text = (CONF / f"{name}.conf").read_text()
        assert text.count("include staff.conf;") == 1
    assert "\nallow all;" in (CONF / "staff.conf").read_text()
