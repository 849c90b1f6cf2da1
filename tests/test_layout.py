"""The shape of the code base: sizes, light imports, a test for each module, what ships."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import userproxybench

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "userproxybench"
MODULES = sorted(PACKAGE.rglob("*.py"))
MOST_LINES = 400
HEAVY = ("litellm", "matplotlib", "pandas", "pydantic", "numpy", "scipy", "msgspec")

TESTED_ELSEWHERE = {
    "errors": "tests/cli/test_audit.py",
    "config": "tests/cli/test_audit.py",
}
"""Modules whose claims are tested through what puts them to use."""


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_a_module_fits_in_a_reader(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = f"import userproxybench, sys; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys\nfrom userproxybench.cli import main\nsys.argv = ['userproxybench', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([m for m in {HEAVY[:6]} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"
    assert "audit" in done.stdout


def test_an_audit_by_rules_loads_no_model_and_no_drawing(tmp_path: Path) -> None:
    example = ROOT / "trajectories" / "example"
    script = (
        f"import sys, userproxybench; userproxybench.audit({str(example)!r})\n"
        "print([m for m in ('litellm', 'matplotlib', 'scipy.stats') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]"
    assert not list(tmp_path.iterdir())


def test_every_public_name_is_there_and_sorted() -> None:
    for found in pkgutil.walk_packages([str(PACKAGE)], "userproxybench."):
        module = importlib.import_module(found.name)
        names = getattr(module, "__all__", [])
        assert [name for name in names if not hasattr(module, name)] == [], found.name
        assert len(set(names)) == len(names), found.name


def test_the_package_exports_the_audit() -> None:
    assert userproxybench.__all__ == ["Audit", "__version__", "audit"]
    assert callable(userproxybench.audit)


def test_the_version_is_said_once() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert declared["project"]["version"] == userproxybench.__version__


def test_every_module_or_package_has_tests_under_its_name_or_a_reason() -> None:
    missing = []
    for found in pkgutil.iter_modules([str(PACKAGE)]):
        alone = ROOT / "tests" / f"test_{found.name}.py"
        family = list((ROOT / "tests" / found.name).glob("test_*.py"))
        if not (alone.is_file() or family or found.name in TESTED_ELSEWHERE):
            missing.append(found.name)
    assert missing == []


def test_reasons_name_modules_and_tests_that_exist() -> None:
    names = {found.name for found in pkgutil.iter_modules([str(PACKAGE)])}
    assert set(TESTED_ELSEWHERE) <= names
    assert all((ROOT / test).is_file() for test in TESTED_ELSEWHERE.values())


@pytest.mark.parametrize("folder", ["prompts", "templates", "data"])
def test_files_that_are_no_code_ship_in_the_package(folder: str) -> None:
    assert [path for path in (PACKAGE / folder).iterdir() if path.suffix != ".py"]


def test_what_the_package_imports_is_declared_and_the_other_way_round() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.split(r"[^\w-]", name)[0] for name in declared["dependencies"]}
    imported = set()
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").partition(".")[0])
    foreign = imported - set(sys.stdlib_module_names) - {"userproxybench"}
    assert foreign == {name.replace("-", "_") for name in wanted}


def test_core_modules_print_nothing_and_open_nothing() -> None:
    core = ("models", "stats", "rules", "tables", "analysis", "scoring.py", "replies.py")
    calls = []
    for path in MODULES:
        if relative(path).partition("/")[0] in core:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            calls += [
                f"{relative(path)}: {node.func.id}"
                for node in ast.walk(tree)
                if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("print", "open", "input")
            ]
    assert calls == []
