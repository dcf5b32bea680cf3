"""The dealer's own screen: a browser that goes to one place and shows nothing of the machine."""

import http.server
import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

DEPLOY = Path(__file__).parents[3] / "deploy"
POLICY = DEPLOY / "kiosk" / "sabot.json"
UNIT = (DEPLOY / "systemd" / "sabot-kiosk.service").read_text()
LIMIT_S = 90
NOT_FOR_A_TEST = ("RemoteDebuggingAllowed", "DeveloperToolsAvailability")
"""What prints a page without a screen is the developer tools themselves."""


def policy() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(POLICY.read_text())
    return found


def test_nobody_opens_tools_files_or_downloads() -> None:
    found = policy()
    assert found["DeveloperToolsAvailability"] == 2
    assert found["RemoteDebuggingAllowed"] is False
    assert found["AllowFileSelectionDialogs"] is False
    assert found["DownloadRestrictions"] == 3
    assert found["ExtensionInstallBlocklist"] == ["*"]
    guards = [key for key in found if key.endswith("GuardSetting")]
    assert {found[key] for key in guards} == {2}
    assert len(guards) == 6


def test_one_origin_is_allowed_and_it_is_the_units_own() -> None:
    found = policy()
    assert "*" in found["URLBlocklist"]
    assert {"file://*", "view-source:*", "chrome://settings", "chrome://flags"} <= set(
        found["URLBlocklist"]
    )
    (origin,) = found["URLAllowlist"]
    assert f"SABOT_PAGE={origin}/dealer" in UNIT


def test_browser_sees_no_file_of_the_table() -> None:
    (hidden,) = [line for line in UNIT.splitlines() if line.startswith("InaccessiblePaths=")]
    for place in ("/var/lib/sabot", "/etc/sabot", "/run/sabot", "/opt/sabot"):
        assert f"-{place}" in hidden.split("=")[1].split()


@contextmanager
def served() -> Iterator[int]:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<p>the dealer's page")

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def browser(words: str, folder: Path, given: dict[str, Any] | None) -> list[str]:
    """A real one as a command, with this policy in the place where it looks for one."""
    policies = folder / "policies"
    policies.mkdir(exist_ok=True)
    (policies / "sabot.json").write_text(json.dumps(given or {}))
    place = "/etc/chromium/policies/managed"
    browse = (
        f"mkdir -p {place} && mount --bind {policies} {place} && exec timeout {LIMIT_S} chromium "
        f"--headless --no-sandbox --disable-gpu --user-data-dir={folder}/profile {words}"
    )
    return ["unshare", "--mount", "sh", "-c", browse]


def shown(address: str, folder: Path, given: dict[str, Any] | None) -> str:
    """What a real browser shows of it."""
    done = subprocess.run(
        browser(f"--dump-dom {address}", folder, given),
        capture_output=True, text=True, timeout=LIMIT_S + 20, check=False,
    )  # fmt: skip
    return done.stdout


def told_of_tools(folder: Path, given: dict[str, Any] | None) -> str:
    """What it says when somebody starts it with its tools on a port."""
    words = "--remote-debugging-port=0 about:blank"
    with subprocess.Popen(
        browser(words, folder, given), stderr=subprocess.PIPE, text=True
    ) as started:
        assert started.stderr is not None
        try:
            return next((line for line in started.stderr if line.startswith("DevTools")), "")
        finally:
            started.terminate()


def can_browse() -> bool:
    if os.geteuid() != 0 or not all(map(shutil.which, ("chromium", "unshare"))):
        return False
    tried = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.second_tier
def test_real_browser_goes_to_one_origin_and_to_no_file(tmp_path: Path) -> None:
    if not can_browse():
        pytest.skip("takes chromium, and root to put a policy where it looks")
    secret = tmp_path / "secret.html"
    secret.write_text("<p>a file of the machine")
    with served() as port:
        own = {key: value for key, value in policy().items() if key not in NOT_FOR_A_TEST}
        given = own | {"URLAllowlist": [f"http://127.0.0.1:{port}"]}
        assert "a file of the machine" in shown(f"file://{secret}", tmp_path, None), "without it"
        assert "a file of the machine" not in shown(f"file://{secret}", tmp_path, given)
        assert "the dealer's page" in shown(f"http://127.0.0.1:{port}/", tmp_path, given)
        assert "the dealer's page" not in shown(f"http://localhost:{port}/", tmp_path, given)


def test_real_browser_opens_its_tools_to_nobody(tmp_path: Path) -> None:
    if not can_browse():
        pytest.skip("takes chromium, and root to put a policy where it looks")
    assert told_of_tools(tmp_path, None).startswith("DevTools listening"), "without it"
    assert "disallowed by the system admin" in told_of_tools(tmp_path, policy())
