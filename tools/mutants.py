"""Puts small faults into functions, one at a time, and says which of them no test notices.

    python -m tools.mutants [--most 40] [--seed 1] games/attempts.py leaderboards/live.py

The tests run once in one process, which notes the functions that each of them enters. Then each
fault gets a fork of that process, with everything imported and the database migrated; it runs just
the tests that enter its function, the quickest first, and ends at the first failure. A fault is new
code for a function that lives already, so that decorated functions have them too. mutmut makes the
faults; its own runner leaves out what is decorated, which here is nearly all that writes.
"""

import ast
import gc
import os
import random
import signal
import time
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import unified_diff
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, cast

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation import mutators

BOARDS = [
    *(f"tests/boards/test_{it}.py" for it in ("live", "pages", "periods", "ranks", "seal")),
    "tests/boards/test_verdicts.py", "tests/boards/test_crossed_verdicts.py",
    "tests/boards/test_while_finishing.py", "tests/test_voiding.py",
    "tests/api/test_leaderboard.py", "tests/api/test_period_boards.py",
]  # fmt: skip
TESTS = {
    "games/engine": ["tests/engine", "games/engine"],
    "games/attempts.py": [
        "tests/api/test_attempts.py", "tests/api/test_moves.py", "tests/api/test_refusals.py",
        "tests/attacks/test_second_tries.py", "tests/attacks/test_seal_races.py",
        "tests/attacks/test_tasks.py", "tests/attacks/test_stepped_clock.py",
        "tests/test_metrics.py",
    ],
    "games/deals.py": [
        "tests/api/test_deals.py", "tests/test_pausing.py", "tests/test_voiding.py",
        "tests/attacks/test_second_tries.py", "tests/attacks/test_tasks.py",
        "tests/attacks/test_seal_races.py",
    ],
    "leaderboards": BOARDS,
    "players": [
        "tests/players", "tests/api/test_claims.py", "tests/api/test_login.py",
        "tests/api/test_passwords.py", "tests/api/test_renames.py", "tests/api/test_leaving.py",
        "tests/api/test_locked_players.py", "tests/test_identity_races.py",
    ],
    "pyramid_site/api": [
        "tests/api/test_bad_input.py", "tests/api/test_conventions.py",
        "tests/api/test_throttles.py", "tests/api/test_addresses.py",
        "tests/test_gunicorn_worker.py",
    ],
}  # fmt: skip
"""The tests of a file or of a folder."""

HOT = [
    *(str(it) for it in sorted(Path("games/engine").glob("[!_]*.py"))),
    "games/attempts.py", "games/deals.py", "leaderboards/boards.py", "leaderboards/live.py",
    "leaderboards/periods.py", "leaderboards/ranking.py", "leaderboards/standings.py",
    "players/accounts.py", "pyramid_site/api/parsing.py", "pyramid_site/api/throttles.py",
]  # fmt: skip
LEAST, TIMES = 30, 20  # a fault hangs after so many s, and so many times as long as without it


@dataclass
class Mutant:
    """A source with a fault in the function that begins in a line."""

    path: str
    line: int
    source: str
    outcome: str = ""

    def __str__(self) -> str:
        before, after = Path(self.path).read_text().splitlines(), self.source.splitlines()
        difference = unified_diff(before, after, n=0, lineterm="")
        changed = [it for it in difference if it[:3] not in ("---", "+++")]
        return "\n".join([f"{self.path} {self.outcome}", *changed])


@dataclass(eq=False)
class Mutants:
    """A plugin of pytest that runs the tests many times."""

    paths: list[str]
    most: int
    seed: int
    entered: dict[tuple[str, int], set[str]] = field(default_factory=lambda: defaultdict(set))
    current: str = ""
    failed: bool = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        took = self.without_a_fault(session.items)
        quickest_first = sorted(session.items, key=lambda it: took[it.nodeid])
        for path in self.paths:
            self.check_forks(path, quickest_first)
            tried = sample(path, most=self.most, seed=self.seed)
            for mutant in tried:
                reached = self.entered[path, mutant.line]
                items = [it for it in quickest_first if it.nodeid in reached]
                patience = LEAST + TIMES * sum(took[it.nodeid] for it in items)
                mutant.outcome = self.outcome(mutant, items, patience)
                if mutant.outcome in ("survived", "is entered by no test"):
                    print(f"\n{mutant}", flush=True)
            noticed = sum(it.outcome in ("noticed", "hung") for it in tried)
            print(f"\n== {path}: {noticed} of {len(tried)} noticed", flush=True)
        return True

    def check_forks(self, path: str, items: list[pytest.Item]) -> None:
        """Without a fault, tests pass in a fork as well."""
        entering = set().union(*(ids for (of, _), ids in self.entered.items() if of == path))
        some = [it for it in items if it.nodeid in entering][:20]
        if self.outcome(Mutant(path, 0, Path(path).read_text()), some, 10 * LEAST) != "survived":
            pytest.exit(f"Tests of {path} fail in a fork without a fault", returncode=1)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def without_a_fault(self, items: list[pytest.Item]) -> dict[str, float]:
        """How long each test takes, in s; which functions it enters is noted on the way."""
        for path in self.paths:
            vars(module_of(path))["__note__"] = partial(self.note, path)
            install(path, noting(Path(path).read_text()))
        took = {}
        for item, following in zip(items, [*items[1:], items[0]], strict=True):
            self.current, start = item.nodeid, time.monotonic()
            self.run(item, following)
            if self.failed:
                pytest.exit(f"{item.nodeid} fails without a fault", returncode=1)
            took[item.nodeid] = time.monotonic() - start
        for path in self.paths:
            install(path, ast.parse(Path(path).read_text()))
        return took

    def note(self, path: str, line: int) -> None:
        self.entered[path, line].add(self.current)

    def run(self, item: pytest.Item, following: pytest.Item) -> None:
        """With another test to follow: so the database is kept."""
        doctest = getattr(item, "dtest", None)
        names = dict(doctest.globs) if doctest else {}  # which it empties at its end
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if doctest:
            doctest.globs.update(names)

    def outcome(self, mutant: Mutant, items: list[pytest.Item], patience: float) -> str:
        from django.db import connections

        if not items:
            return "is entered by no test"
        connections.close_all()
        deadline = time.monotonic() + patience
        child = os.fork()
        if child == 0:
            self.in_fork(mutant, items)
        while time.monotonic() < deadline:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return "noticed" if status else "survived"
            time.sleep(0.05)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return "hung"

    def in_fork(self, mutant: Mutant, items: list[pytest.Item]) -> None:
        """Ends the process: 1 if a test fails."""
        os.setpgid(0, 0)
        try:
            items[0].config.pluginmanager.unregister(name="terminalreporter")
            install(mutant.path, ast.parse(mutant.source))
            items[0].session._setupstate.teardown_exact(items[0])  # noqa: SLF001 as between tests
            stranger = next(it for it in items[0].session.items if it is not items[-1])
            for item, following in zip(items, [*items[1:], stranger], strict=True):
                self.run(item, following)
                if self.failed:
                    break
            os._exit(self.failed)
        finally:  # whatever was raised
            os._exit(1)


def sample(path: str, *, most: int, seed: int) -> list[Mutant]:
    """So many of the faults of a file, the same ones for the same seed."""
    module = MetadataWrapper(cst.parse_module(Path(path).read_text()), unsafe_skip_copy=True)
    faults = Faults()
    module.visit(faults)
    places = range(len(faults.found))
    picked = random.Random(f"{seed} {path}").sample(places, min(most, len(places)))  # noqa: S311
    found = []
    for line, node, changed in (faults.found[it] for it in sorted(picked)):
        tree = module.module.deep_replace(node, changed)
        found.append(Mutant(path, line, cast(cst.Module, tree).code))
    return [it for it in found if compiles(it.source)]


def without(node: cst.Raise | cst.Expr) -> Iterator[cst.CSTNode]:
    """A call or a refusal that is forgotten."""
    if isinstance(node, cst.Raise) or isinstance(node.value, cst.Call):
        yield cst.Pass()


def opposite(node: cst.If) -> Iterator[cst.CSTNode]:
    brackets = {"lpar": [cst.LeftParen()], "rpar": [cst.RightParen()]}
    test = cst.UnaryOperation(cst.Not(), node.test.with_changes(**brackets))
    yield node.with_changes(test=test)


OPERATORS: list[tuple[type[cst.CSTNode], Callable[[Any], Iterable[cst.CSTNode]]]] = [
    *(it for it in mutators.mutation_operators if it[1] is not mutators.operator_string),
    (cst.Expr, without),
    (cst.Raise, without),
    (cst.If, opposite),
]
"""Those of mutmut but for texts, whose words no test repeats, and two kinds of our own."""


class Faults(cst.CSTVisitor):
    """Finds the nodes inside of functions that can be changed, each with what it becomes."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.functions: list[int] = []
        self.found: list[tuple[int, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Decorator | cst.Parameters | cst.Annotation | cst.FormattedString):
            return False  # what runs at the import, and words
        if isinstance(node, cst.FunctionDef):
            self.functions.append(self.get_metadata(PositionProvider, node.name).start.line)
        if self.functions:
            line = self.functions[0]
            self.found += (
                (line, node, changed)
                for kind, operator in OPERATORS
                if isinstance(node, kind)
                for changed in operator(node)
            )
        return not isinstance(node, cst.Raise)

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.FunctionDef):
            self.functions.pop()


def compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except SyntaxError:
        return False
    return True


def module_of(path: str) -> ModuleType:
    return import_module(path.removesuffix(".py").replace("/", "."))


def noting(source: str) -> ast.Module:
    """The source with a note at the beginning of each function."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = 0 if ast.get_docstring(node) is None else 1
            node.body[first:first] = ast.parse(f"__note__({node.lineno})").body
    return ast.fix_missing_locations(tree)


def install(path: str, tree: ast.Module) -> None:
    """Gives the living functions of a module the code that they have in a source."""
    module = module_of(path)
    compiled = compile(tree, str(module.__file__), "exec")
    codes = {it.co_qualname: it for it in inside(compiled)}
    for living in gc.get_objects():
        if isinstance(living, FunctionType) and living.__code__.co_filename == module.__file__:
            code = codes.get(living.__code__.co_qualname)
            if code and len(code.co_freevars) == len(living.__code__.co_freevars):
                living.__code__ = code
        elif isinstance(living, CACHED):
            living.cache_clear()


CACHED = type(lru_cache(lambda: None))


def inside(code: CodeType) -> Iterator[CodeType]:
    for it in code.co_consts:
        if isinstance(it, CodeType):
            yield it
            yield from inside(it)


def tests_of(paths: Iterable[str]) -> list[str]:
    found = [
        test for path in paths for name in TESTS if path.startswith(name) for test in TESTS[name]
    ]
    return list(dict.fromkeys(found))


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", default=HOT)
    parser.add_argument("--most", type=int, default=40, help="of a file")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options = ["-q", "-n", "0", "-p", "no:randomly", "-p", "no:cacheprovider"]
    plugin = Mutants(given.paths, given.most, given.seed)
    raise SystemExit(pytest.main([*options, *tests_of(given.paths)], plugins=[plugin]))


if __name__ == "__main__":
    main()
