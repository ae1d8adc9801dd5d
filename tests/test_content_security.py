"""What the replies tell a browser (I)."""

import re
from contextlib import closing

import pytest
from django.test import Client as DjangoClient

from tests.api.client import Client
from tests.api.routes import endpoints

pytestmark = [pytest.mark.core, pytest.mark.django_db]

DATA = [route.path for route in endpoints()] + ["/api/v1/schema", "/api/v1/nothing", "/healthz",
        "/errors/not_found"]  # fmt: skip
PAGES = ["/api/docs", "/admin/login/"]


@pytest.mark.parametrize("path", DATA)
def test_i_data_may_load_nothing(client: DjangoClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_i_a_page_loads_what_is_the_server_s_own_and_nothing_inline(
    client: DjangoClient, path: str
) -> None:
    reply = client.get(path)
    policy = reply.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    assert "http" not in policy
    page = reply.content.decode()
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page)
    for address in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert address.startswith(("/", "#"))
        with closing(client.get(address) if "/static/" in address else reply) as loaded:
            assert loaded.status_code == 200


def test_i_a_page_of_the_admin_has_nothing_inline(admin_client: DjangoClient) -> None:
    for path in ("/admin/", "/admin/players/player/", "/admin/auth/user/"):
        page = admin_client.get(path).content.decode()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page), path


def test_the_headers_stand_on_refusals_too() -> None:
    assert "Content-Security-Policy" in Client().get("/me").headers
