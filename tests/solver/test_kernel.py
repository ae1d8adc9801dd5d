"""How the kernels are loaded and where their machine code is kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.solver.kernel import compiling

ROOT = Path(__file__).parent.parent.parent
RATE = (
    "from games.engine import DECK, RULE_SETS, Deal\n"
    "from games.solver.difficulty import rate\n"
    "rules = RULE_SETS['one-pass']\n"
    "print(rate(Deal.from_deck(DECK, rules), rules, playouts=100))\n"
)


def run(program: str, folder: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["games.solver", "pyramid_site.wsgi"])
def test_no_compiler_is_loaded_before_a_question_is_asked(module: str) -> None:
    loaded = f"import sys, {module}\nprint(sorted({{'numba', 'numpy'}} & sys.modules.keys()))"
    assert run(loaded) == "[]"


def test_machine_code_is_kept_where_the_environment_says(tmp_path: Path) -> None:
    run(RATE, NUMBA_CACHE_DIR=str(tmp_path))
    (kept,) = tmp_path.glob("kernels-*/*/playouts._count_wins-*.nbc")
    made = kept.stat().st_mtime_ns
    run(RATE, NUMBA_CACHE_DIR=str(tmp_path))
    assert kept.stat().st_mtime_ns == made


def test_a_change_in_any_kernel_source_makes_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = tmp_path / "kernel"
    shutil.copytree(compiling.HERE, sources)
    monkeypatch.setattr(compiling, "HERE", sources)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    before = compiling.cache_folder()
    assert compiling.cache_folder() == before
    (sources / "sets.py").write_text("# changed\n")
    assert compiling.cache_folder() != before


def test_where_no_folder_can_be_written_the_kernels_work_all_the_same(tmp_path: Path) -> None:
    nowhere = tmp_path / "a file"
    nowhere.touch()
    assert run(RATE, NUMBA_CACHE_DIR=str(nowhere)) == run(RATE)


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder of kept machine code, and what it computes."""
    folder = tmp_path_factory.mktemp("kept")
    return folder, run(RATE, NUMBA_CACHE_DIR=str(folder))


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [0, 40, -1])
def test_c3_kept_machine_code_that_a_crash_has_cut_is_compiled_anew(
    rated: tuple[Path, str], tmp_path: Path, suffix: str, left: int
) -> None:
    shutil.copytree(rated[0], tmp_path, dirs_exist_ok=True)
    for path in tmp_path.rglob(f"*.{suffix}"):
        path.write_bytes(path.read_bytes()[:left])
    rated_anew = run(RATE, NUMBA_CACHE_DIR=str(tmp_path))
    assert rated_anew == rated[1]
    assert all(
        path.stat().st_size == (rated[0] / path.relative_to(tmp_path)).stat().st_size
        for path in tmp_path.rglob("*.nbi")
    ), "it is whole again, in whatever order its functions were compiled"


def test_c3_machine_code_that_was_altered_is_not_run(
    rated: tuple[Path, str], tmp_path: Path
) -> None:
    shutil.copytree(rated[0], tmp_path, dirs_exist_ok=True)
    (path,) = tmp_path.rglob("*_count_wins*.nbc")
    middle = path.stat().st_size // 2
    with path.open("r+b") as kept:
        kept.seek(middle)
        kept.write(bytes(4096))
    assert run(RATE, NUMBA_CACHE_DIR=str(tmp_path)) == rated[1]


def test_a_user_without_a_home_has_no_folder_for_machine_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    nowhere = tmp_path / "a file"
    nowhere.touch()
    monkeypatch.setattr(compiling, "HERE", nowhere)
    monkeypatch.setattr(Path, "expanduser", fail)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    assert compiling.cache_folder() is None
