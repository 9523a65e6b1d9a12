"""The commands of a first hour: init, open, send and import."""

import stat

import pytest
import yaml

from core.settings import Settings
from tests.process.serve import run


def _init(folder, *options: str):
    return run(folder, "init", "made", *options)


def test_init_writes_secrets_once(folder):
    done = _init(folder, "--purpose", "campaigns, api", "--public-url", "https://post.example.com")
    assert done.returncode == 0, done
    made = folder / "made"
    for name in ("postern.env", "servers.env"):
        assert stat.S_IMODE((made / name).stat().st_mode) == 0o600, name
    settings = Settings(_env_file=made / "postern.env")
    settings.require_own_servers()
    assert (settings.purpose, settings.has_console) == (["campaigns", "api"], True)
    servers = dict(line.split("=", 1) for line in (made / "servers.env").read_text().splitlines())
    assert servers["POSTGRES_PASSWORD"] in settings.db_string.get_secret_value()
    assert servers["REDISCLI_AUTH"] in settings.redis_url.get_secret_value()
    assert settings.secret_key.get_secret_value() not in (made / "servers.env").read_text()
    services = yaml.safe_load((made / "compose.yaml").read_text())["services"]
    assert not any("build" in service for service in services.values())
    assert {"postern.env", "servers.env"} == {service["env_file"] for service in services.values()}
    assert not any(servers[name] in done.stdout for name in ("POSTGRES_PASSWORD", "REDISCLI_AUTH"))


@pytest.mark.parametrize("name", ["postern.env", "servers.env", "compose.yaml"])
def test_init_never_overwrites(folder, name):
    (folder / "made").mkdir()
    (folder / "made" / name).write_text("mine")
    refused = _init(folder)
    assert refused.returncode == 1
    assert f"made/{name} exists, and nothing is overwritten" in refused.stderr
    assert [(file.name, file.read_text()) for file in (folder / "made").iterdir()] == [(name, "mine")]


def test_init_knows_the_purposes(folder):
    refused = _init(folder, "--purpose", "spam")
    assert (refused.returncode, "campaigns, answers, api, resale" in refused.stderr) == (1, True)
    assert not (folder / "made").exists()


def test_open_makes_a_link_until_there_is_an_administrator(postern):
    assert "The console is off" in postern("open").stderr
    first = postern("open", POSTERN_CONSOLE="true")
    assert first.returncode == 0, first
    assert "/console/first-user#" in first.stdout
    assert postern("user", "create", "ada@example.com", "--admin").returncode == 0
    second = postern("open", POSTERN_CONSOLE="true")
    assert "There is an administrator" in second.stdout
    assert "first-user" not in second.stdout


def test_send_is_done_as_a_user(postern):
    nobody = postern("send", "email", "ann@example.com", "Hello")
    assert nobody.returncode == 1
    assert "There is no administrator yet" in nobody.stderr
    assert postern("user", "create", "ada@example.com", "--admin").returncode == 0
    assert postern("credit", "ada@example.com", "5").returncode == 0
    sent = postern("send", "email", "ann@example.com", "Hello", "--wait", "0")
    assert sent.returncode == 0, sent
    assert "state     queued" in sent.stdout
    assert "a worker has to run" in sent.stdout
    assert "CHANNEL must be" in postern("send", "fax", "1", "Hello").stderr
    assert "no active user eve@" in postern("send", "email", "a@b.co", "x", "--as", "eve@example.com").stderr


def test_import_needs_a_proof_of_consent(postern, folder):
    (folder / "people.csv").write_text("Email,Name\nanna@example.com,Anna\n")
    assert postern("user", "create", "ada@example.com", "--admin").returncode == 0
    assert "where the proof of consent is" in postern("import", "people.csv", "--topic", "news").stderr
    unknown = postern("import", "people.csv", "--topic", "news", "--evidence", "the shop")
    assert "There is no topic news" in unknown.stderr
    accepted = postern("import", "people.csv", "--wait", "0")
    assert (accepted.returncode, "status    processing" in accepted.stdout) == (0, True), accepted
