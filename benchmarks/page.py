"""What the play page weighs, and how long a player waits for it, in a real Chromium.

    .venv/bin/python -m benchmarks.page [--rounds 5]

gunicorn and PostgreSQL are started for it. Each round is a visitor with nothing in the cache, whose
first request is the play page, and who plays some moves.
"""

import argparse
import json
import os
import statistics
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests import services

WEIGHT, FIRST_CARD, SHOWN = 60_000, 1000, 100  # bytes; ms
MOVES = 12

WATCH = """
window.waits = [];
let answered = 0;
const text = Response.prototype.text;
Response.prototype.text = async function () {
  const read = await text.call(this);
  if (this.url.endsWith("/moves")) answered = performance.now();
  return read;
};
new MutationObserver(changes => {
  for (const {target} of changes) {
    if (target.querySelector("button[data-place]")) window.first ??= performance.now();
    if (!answered) continue;
    const since = answered;
    answered = 0;
    requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - since)));
  }
}).observe(document, {subtree: true, attributeFilter: ["data-ply"]});
"""
"""Notes when the first card may be tapped, and when the frame after each reply is painted."""


class Visit(NamedTuple):
    """One visit."""

    weights: dict[str, int]
    """Bytes over the wire, head and body, by address."""
    first_card: float
    """ms from the start of the navigation."""
    shown: list[float]
    """ms from each reply to the frame that shows it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with ExitStack() as stack:
        services.start(stack.callback)
        os.environ.update(
            DATABASE_POOL="10",
            DJANGO_SETTINGS_MODULE="pyramid_site.settings",
            DJANGO_ALLOW_ASYNC_UNSAFE="1",
        )
        import django

        django.setup()
        address = stack.enter_context(site())
        browser = stack.enter_context(chromium())
        visit(browser, address)  # warms the server, as others have done on any day
        report([visit(browser, address) for _ in range(options.rounds)])


@contextmanager
def site() -> Iterator[str]:
    """The address of the play page of today."""
    from django.core.management import call_command

    from benchmarks.move import server
    from pyramid_site import clock
    from tests import builders

    call_command("collectstatic", interactive=False, verbosity=0)
    with server() as port:
        day = clock.today()
        builders.publish(day=day)
        yield f"http://127.0.0.1:{port}/play/{day}/one-pass#start"


@contextmanager
def chromium() -> Iterator[Browser]:
    from tests.web.conftest import launch

    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


def visit(browser: Browser, address: str) -> Visit:
    """A visitor of their own, who leaves nothing behind."""
    with browser.new_context(viewport={"width": 360, "height": 740}) as context:
        page = context.new_page()
        page.add_init_script(WATCH)
        network = context.new_cdp_session(page)
        network.send("Network.enable")
        addresses: dict[str, str] = {}
        weights: dict[str, int] = {}

        def answered(event: dict[str, object]) -> None:
            response = json.loads(json.dumps(event["response"]))
            addresses[str(event["requestId"])] = response["url"]

        def loaded(event: dict[str, object]) -> None:
            url = addresses.get(str(event["requestId"]), "")
            weights[url] = weights.get(url, 0) + int(str(event["encodedDataLength"]))

        network.on("Network.responseReceived", answered)
        network.on("Network.loadingFinished", loaded)
        page.goto(address)
        page.wait_for_function("() => window.first")
        page.wait_for_load_state("networkidle")
        whole = dict(weights)
        for ply in range(1, MOVES + 1):
            page.locator("[data-place=S]").click()
            page.wait_for_function("ply => window.waits.length === ply", arg=ply)
        return Visit(whole, page.evaluate("window.first"), page.evaluate("window.waits"))


def report(rounds: list[Visit]) -> None:
    weights = rounds[-1].weights
    for url, weight in sorted(weights.items(), key=lambda it: -it[1])[:8]:
        print(f"{weight:8,} B  {url.partition('//')[2].partition('/')[2]}")
    total = sum(weights.values())
    first = statistics.median(it.first_card for it in rounds)
    shown = [ms for it in rounds for ms in it.shown]
    print(f"{total:8,} B  in all, {len(weights)} requests (at most {WEIGHT:,})")
    print(f"{first:8.0f} ms to the first card that can be tapped, cold (at most {FIRST_CARD:,})")
    slow = statistics.quantiles(shown, n=20)[-1]
    print(
        f"{statistics.median(shown):8.0f} ms from a reply to its card on the screen, "
        f"{slow:.0f} ms in 1 of 20 (at most {SHOWN})"
    )


if __name__ == "__main__":
    main()
