"""The files that strangers and the host read agree with the project: version, links, workflows."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
import yaml
from trove_classifiers import classifiers

import pleasance
from support.programs import run_program

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
FORMS = sorted((GITHUB / "ISSUE_TEMPLATE").glob("*.yml"))
REPOSITORY = PROJECT["urls"]["Repository"]
SITE = PROJECT["urls"]["Documentation"]
FOLDERS_OF_OTHERS = {".git", ".venv", "node_modules", "dist", "build"}


def read_text(*names: str) -> str:
    return ROOT.joinpath(*names).read_text(encoding="utf-8")


def list_targets() -> set[str]:
    return set(find_lines(r"([a-z]+):", read_text("Makefile")))


def find_lines(pattern: str, text: str) -> list[str]:
    """Find the lines that begin with a pattern; return its group, or all of it."""
    return re.findall(rf"^{pattern}", text, re.MULTILINE)


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a file; the key `on` of workflows is a truth value in YAML 1.1, and stays one."""
    content: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return content


def read_jobs(name: str) -> dict[str, Any]:
    jobs: dict[str, Any] = read_yaml(GITHUB / "workflows" / name)["jobs"]
    return jobs


def list_commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job.get("steps", ()) if "run" in step]


def classified_pythons() -> list[str]:
    found = (re.fullmatch(r".* :: Python :: (3\.\d+)", each) for each in PROJECT["classifiers"])
    return [each[1] for each in found if each]


def test_the_version_stands_in_one_place_and_others_agree() -> None:
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["readme", "version"]
    source = read_text(PYPROJECT["tool"]["hatch"]["version"]["path"])
    assert f'__version__ = "{pleasance.__version__}"' in source
    assert read_yaml(ROOT / "CITATION.cff")["version"] == pleasance.__version__
    versions = find_lines(r"## \[?v?(\d[\w.]*)", read_text("CHANGELOG.md"))
    assert versions[0] == pleasance.__version__


def test_the_citation_says_what_the_package_says() -> None:
    citation = read_yaml(ROOT / "CITATION.cff")
    assert citation["authors"] == PROJECT["authors"]
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]
    assert (citation["repository-code"], citation["url"]) == (REPOSITORY, SITE)
    assert citation["title"].partition(": ")[2] in PROJECT["description"].lower()


def test_the_classifiers_exist_and_begin_with_the_oldest_python() -> None:
    assert set(PROJECT["classifiers"]) <= classifiers
    assert PROJECT["classifiers"] == sorted(PROJECT["classifiers"])
    assert PROJECT["requires-python"] == f">={classified_pythons()[0]}"


def test_the_examples_of_the_build_hooks_hold() -> None:
    hooks = run_path(str(ROOT / "hatch_build.py"))
    found = doctest.DocTestFinder().find(hooks["make_links_absolute"], globs=hooks)
    results = [doctest.DocTestRunner().run(each) for each in found]
    assert [(each.failed, each.attempted) for each in results] == [(0, 2)]


def test_all_links_to_the_project_lead_to_the_same_place() -> None:
    assert all(each.startswith((REPOSITORY, SITE)) for each in PROJECT["urls"].values())
    files = [ROOT / name for name in ("CITATION.cff", "Dockerfile", "README.md", "SECURITY.md")]
    for path in (*files, *FORMS):
        text = path.read_text(encoding="utf-8")
        for link in re.findall(r"https?://[^\s)\"']*pleasance-games[^\s)\"']*", text):
            assert link.startswith((REPOSITORY, SITE)), f"{path.name}: {link}"
    changes = PROJECT["urls"]["Changelog"].removeprefix(f"{REPOSITORY}/blob/main/")
    assert (ROOT / changes).is_file()


def test_the_host_runs_the_test_command_of_the_readme_on_every_python() -> None:
    commands = find_lines(r"make .*$", read_text("README.md"))
    job = read_jobs("ci.yml")["test"]
    assert len(list_commands(job)) == 1
    assert list_commands(job)[0] in commands
    assert job["strategy"]["matrix"]["python"] == classified_pythons()
    (setup,) = [step for step in job["steps"] if "setup-python" in step.get("uses", "")]
    assert setup["with"]["python-version"] == "${{ matrix.python }}"


def test_a_job_of_its_own_holds_the_coverage() -> None:
    jobs = read_jobs("ci.yml")
    assert [name for name, job in jobs.items() if "make coverage" in list_commands(job)]
    assert list_commands(jobs["coverage"]) == ["make coverage"]
    assert isinstance(PYPROJECT["tool"]["coverage"]["report"]["fail_under"], int)


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_unless_a_job_needs_more(workflow: Path) -> None:
    content = read_yaml(workflow)
    assert content["permissions"] == {"contents": "read"}
    for name, job in content["jobs"].items():
        if job.get("uses") == "./.github/workflows/ci.yml":
            continue
        assert job["timeout-minutes"], name
        for step in job["steps"]:
            if "uses" not in step:
                continue
            assert re.search(r"@(v\d+|release/v1|[0-9a-f]{40})$", step["uses"]), name
            if step["uses"].startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}, name


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_calls_only_what_make_can_do(workflow: Path) -> None:
    for job in read_yaml(workflow)["jobs"].values():
        for command in list_commands(job):
            assert set(find_lines(r"make ([a-z]+)", command)) <= list_targets()


def test_the_release_is_built_with_pinned_packages_and_keeps_no_password() -> None:
    jobs = read_jobs("release.yml")
    assert "make docs" in list_commands(jobs["docs"])
    install, compare, build, try_out = list_commands(jobs["packages"])
    assert "--require-hashes" in install
    assert all((ROOT / lock).is_file() for lock in re.findall(r"requirements/\S+", install))
    assert "hatchling version" in compare
    assert "--target sdist --target wheel" in build
    assert "pip install dist/*.whl" in try_out
    assert jobs["publish-packages"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in read_text(".github", "workflows", "release.yml")


def test_nothing_is_published_before_all_of_ci_has_passed() -> None:
    jobs = read_jobs("release.yml")
    assert jobs["ci"]["uses"] == "./.github/workflows/ci.yml"
    assert set(jobs["publish-packages"]["needs"]) >= {"ci", "packages"}
    for name in ("publish-docs", "publish-release"):
        assert jobs[name]["needs"] == "publish-packages"
    assert "  workflow_call:\n" in read_text(".github", "workflows", "ci.yml")


@pytest.mark.parametrize(
    ("tag", "heading", "is_released"),
    [
        ("v1.2.0", "## [1.2.0] - 2030-01-31", True),
        ("v1.2.0", "## [1.2.0] - unreleased", False),
        ("v1.3.0", "## [1.2.0] - 2030-01-31", False),
    ],
)
def test_only_a_version_with_its_tag_and_a_date_is_released(
    tmp_path: Path, tag: str, heading: str, is_released: bool
) -> None:
    compare = list_commands(read_jobs("release.yml")["packages"])[1]
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
    (tmp_path / "python").write_text("#!/bin/sh\necho 1.2.0\n")
    (tmp_path / "python").chmod(0o755)
    variables = {"PATH": f"{tmp_path}:/usr/bin:/bin", "GITHUB_REF_NAME": tag}
    done = run_program("bash", "-e", "-c", compare, cwd=tmp_path, env=variables)
    assert (done.returncode == 0) == is_released


def test_hooks_format_with_the_ruff_of_the_locks() -> None:
    (repository,) = read_yaml(ROOT / ".pre-commit-config.yaml")["repos"]
    ruff = [hook for hook in repository["hooks"] if "ruff" in hook["id"]]
    assert {hook["entry"].split()[0] for hook in ruff} == {".venv/bin/ruff"}
    assert {hook["language"] for hook in ruff} == {"system"}
    assert "\nruff==" in read_text("requirements", "dev.lock")
    (lint,) = list_commands(read_jobs("ci.yml")["lint"])
    assert lint.index("make setup") < lint.index("pre-commit run --all-files")


def test_updates_are_asked_for_where_there_are_files_to_update() -> None:
    files = {
        "docker": "Dockerfile",
        "docker-compose": "compose.yaml",
        "github-actions": ".github/workflows/ci.yml",
        "npm": "package-lock.json",
    }
    updates = read_yaml(GITHUB / "dependabot.yml")["updates"]
    assert {each["package-ecosystem"] for each in updates} == set(files)
    for each in updates:
        folder = ROOT / each["directory"].strip("/")
        assert (folder / files[each["package-ecosystem"]]).is_file()
    assert "make lock" in list_commands(read_jobs("lock.yml")["lock"])


@pytest.mark.parametrize("form", [form for form in FORMS if form.stem != "config"])
def test_a_form_asks_for_what_it_needs(form: Path) -> None:
    fields = {field["id"]: field for field in read_yaml(form)["body"]}
    assert any(field.get("validations", {}).get("required") for field in fields.values())
    assert all(field["attributes"]["label"] for field in fields.values())


def test_binary_files_are_named_as_such() -> None:
    binary = set(find_lines(r"\*(\.\w+) binary$", read_text(".gitattributes")))
    folders = [ROOT / name for name in ("docs", "src", "tests", "web")]
    found = {
        path.suffix
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not FOLDERS_OF_OTHERS & set(path.parts) and path.suffix != ".pyc"
        if b"\0" in path.read_bytes()[:8000]
    }
    assert found == binary


def test_generated_files_are_named_as_such() -> None:
    for pattern in find_lines(r"(\S+) linguist-generated$", read_text(".gitattributes")):
        found = list(ROOT.glob(f"requirements/{pattern}" if pattern == "*.lock" else pattern))
        assert found, pattern
