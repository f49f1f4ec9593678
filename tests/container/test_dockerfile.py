"""The container files name what the program has: port, health check, settings, commands, locks."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from container.dockerfile import ROOT, Instruction, list_context, read_dockerfile
from pleasance import cli
from pleasance.server.base.links import IPV4_WILDCARD
from pleasance.server.base.settings import ServerSettings, load_settings
from pleasance.server.http.health import read_ready
from pleasance.server.serve import SHUTDOWN_TIMEOUT_S
from support.cli import Capture

BUILD, IMAGE = read_dockerfile((ROOT / "Dockerfile").read_text(encoding="utf-8"))
PORT = ServerSettings(database="sqlite://").port
COMPOSE = ("compose.yaml", "compose.postgres.yaml")

pytestmark = pytest.mark.usefixtures("english")


def read_services(name: str) -> dict[str, dict[str, Any]]:
    """Read the services of a compose file; each variable that may be left out is left out."""
    text = (ROOT / name).read_text(encoding="utf-8")
    text = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)
    services: dict[str, dict[str, Any]] = yaml.safe_load(text)["services"]
    return services


def pleasance_variables(variables: dict[str, object]) -> dict[str, str]:
    """Pick the settings of the program; compose turns truth values into text like this."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in variables.items()
        if name.startswith("PLEASANCE_")
    }


def test_a_container_listens_to_all_on_the_usual_port() -> None:
    settings = load_settings(environment=pleasance_variables(dict(IMAGE.environment)))
    assert (settings.host, settings.port) == (IPV4_WILDCARD, PORT)
    assert IMAGE.find("EXPOSE") == str(PORT)


def test_the_health_check_asks_for_readiness() -> None:
    (path,) = read_ready.paths
    assert f"'{path}'" in IMAGE.health_check[-1]
    compile(IMAGE.health_check[-1], "HEALTHCHECK", "exec")


def test_a_container_runs_as_a_user_of_its_own_who_owns_the_volume() -> None:
    user, _, group = IMAGE.find("USER").partition(":")
    made = IMAGE.find("RUN")
    assert user == group != "0"
    assert f"--uid {user} " in made
    assert f"--home-dir {IMAGE.find('VOLUME')} " in made
    assert IMAGE.environment["PLEASANCE_HOME"] == IMAGE.find("VOLUME")
    names = [each.name for each in IMAGE.instructions]
    assert names.index("USER") > max(n for n, name in enumerate(names) if name == "RUN")


def test_the_command_is_there_with_all_its_options(capsys: Capture) -> None:
    program, command, *options = IMAGE.command
    assert program == "pleasance"
    assert cli.run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{option} " in shown for option in options)


def test_packages_come_from_locks_with_hashes() -> None:
    for instruction in BUILD.instructions:
        if "pip" in instruction.text.split() or "/pip " in instruction.text:
            assert "--require-hashes --requirement" in instruction.text or (
                "--no-deps wheel/" in instruction.text
            )
        for lock in re.findall(r"requirements/\S+", instruction.text):
            assert (ROOT / lock).is_file()
    assert Instruction("COPY", "--from=build /opt/pleasance /opt/pleasance") in IMAGE.instructions


def test_both_stages_stand_on_a_python_that_is_supported() -> None:
    assert BUILD.base == IMAGE.base
    version = re.fullmatch(r"python:(3\.\d+)-slim", IMAGE.base)
    assert version
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"Programming Language :: Python :: {version[1]}" in project


@pytest.mark.slow
def test_nothing_but_what_a_build_needs_is_sent_to_it() -> None:
    context = set(list_context())
    assert {path.parts[0] for path in context} == {
        ".gitignore",
        "LICENSE",
        "README.md",
        "hatch_build.py",
        "pyproject.toml",
        "requirements",
        "src",
        "web",
    }
    parts = {part for path in context for part in path.parts}
    assert not parts & {".git", ".env", "node_modules", "__pycache__", "dist"}
    assert {path.suffix for path in context if path.parts[0] == "requirements"} == {".lock"}


def test_secrets_beside_the_sources_stay_outside(tmp_path: Path) -> None:
    (tmp_path / ".dockerignore").write_text((ROOT / ".dockerignore").read_text())
    for name in (".env", "pleasance.db", "src/a.py", "src/__pycache__/a.pyc", "requirements/x.sh"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert [str(path) for path in list_context(tmp_path)] == ["src/a.py"]
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


def test_compose_opens_the_port_to_this_computer_only() -> None:
    (server,) = read_services("compose.yaml").values()
    assert server["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
    settings = load_settings(environment=pleasance_variables(server["environment"]))
    assert settings.public_url == f"http://localhost:{PORT}"
    assert not settings.trusts_proxy
    assert server["volumes"] == [f"data:{IMAGE.find('VOLUME')}"]


@pytest.mark.parametrize("name", COMPOSE)
def test_a_service_of_ours_has_no_rights_and_time_to_stop(name: str) -> None:
    for service in read_services(name).values():
        if service.get("image") == "pleasance":
            assert service["read_only"]
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert int(service["stop_grace_period"].removesuffix("s")) > SHUTDOWN_TIMEOUT_S


def test_our_image_is_built_here_and_never_pulled() -> None:
    (server,) = read_services("compose.yaml").values()
    worker = read_services("compose.postgres.yaml")["worker"]
    assert server["image"] == worker["image"]
    assert (server["build"], server["pull_policy"]) == (".", "build")
    assert worker["pull_policy"] == "never"


def test_server_and_worker_find_the_database_and_keep_its_password_out_of_the_url() -> None:
    services = read_services("compose.postgres.yaml")
    database = services["postgres"]["environment"]
    for name in ("server", "worker"):
        environment = services[name]["environment"]
        settings = load_settings(environment=pleasance_variables(environment))
        user = database["POSTGRES_USER"]
        assert settings.database.split("://")[1] == f"{user}@postgres/{user}"
        assert environment["PGPASSWORD"] == database["POSTGRES_PASSWORD"]
        assert environment["PGPASSWORD"].startswith("${POSTGRES_PASSWORD:?")


def test_a_worker_runs_a_command_that_is_there_and_waits_for_the_schema(capsys: Capture) -> None:
    worker = read_services("compose.postgres.yaml")["worker"]
    assert cli.run([*worker["command"].split(), "--help"]) == 0
    assert "PostgreSQL" in capsys.readouterr().out
    assert worker["healthcheck"] == {"disable": True}
    assert worker["depends_on"]["server"]["condition"] == "service_healthy"
