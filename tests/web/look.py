"""scratch: screenshots"""
import sys, pytest
sys.path.insert(0, "/tmp/wt/web")
from datetime import date
def test_look(site, visitor, clock):
    from tests import builders
    for c in builders.CERTIFIED: builders.publish(c)
    for size in [(360,740),(1440,900)]:
        for scheme in ("light","dark"):
            ctx = visitor(size, color_scheme=scheme)
            page = ctx.new_page()
            page.goto("/"); page.wait_for_load_state("networkidle")
            page.screenshot(path=f"/tmp/wt/shots/today-{size[0]}-{scheme}.png", full_page=True)
            page.click("[data-challenge=one-pass] .button")
            page.wait_for_selector("button[data-place=g3]")
            page.wait_for_timeout(300)
            page.screenshot(path=f"/tmp/wt/shots/play-{size[0]}-{scheme}.png")
