"""Those of this release, and one application more."""

from pyramid_site.settings import *  # noqa: F403
from pyramid_site.settings import INSTALLED_APPS as OF_THIS_RELEASE

INSTALLED_APPS = [*OF_THIS_RELEASE, "tests.e2e.next_release"]
