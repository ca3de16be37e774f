"""The proxy's configuration in the docs, run by a real nginx with TLS."""

import re
import shutil
import socket
import ssl
import subprocess
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest

from support.paths import ROOT
from support.studio_projects import HEADERS, served, sets, team
from support.waiting import free_port, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("nginx") and shutil.which("openssl")), reason="needs nginx and openssl"
    ),
]
PAGE = ROOT / "docs" / "studio" / "running.md"


@contextmanager
def proxied(folder, port, target):
    """nginx with the site of the docs, on another port and with a certificate of our own."""
    key, certificate = folder / "studio.key", folder / "studio.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-keyout", key, "-out", certificate, "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost"],
        check=True, capture_output=True,
    )  # fmt: skip
    site = re.search(r"```nginx\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]
    for old, new in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "studio.example.org": "localhost",
        "/etc/ssl/studio.pem": str(certificate),
        "/etc/ssl/studio.key": str(key),
        "127.0.0.1:8765": target.removeprefix("http://"),
    }.items():
        assert site.count(old) == 1, old
        site = site.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"pid {folder}/nginx.pid;\ndaemon off;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}{site}}}\n"
    )
    process = subprocess.Popen(["nginx", "-e", folder / "error.log", "-c", folder / "nginx.conf"])
    try:
        assert until(lambda: answers(port)), "nginx does not start"
        yield f"https://localhost:{port}", certificate
    finally:
        process.terminate()
        process.wait()


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


def test_the_proxy_of_the_docs(project, tmp_path):
    people, port = team(project), free_port()
    url = f"https://localhost:{port}"
    with (
        served(project, url=url, is_secure=True) as (base, _),
        proxied(Path(tmp_path), port, base) as (address, certificate),
        httpx.Client(
            base_url=address, headers=HEADERS, verify=ssl.create_default_context(cafile=certificate)
        ) as page,
    ):
        assert page.get("/").status_code == 200
        assert page.get("/", headers={"host": "evil.example"}).status_code == 421
        found = page.post("/api/enter", json={"token": people["Anna"][1]})
        assert "Secure" in found.headers["set-cookie"]
        events = [asdict(each) for each in sets("t", [1])]
        with page.stream("GET", "/api/live") as live:
            lines = live.iter_lines()
            assert next(lines) == "retry: 2000"
            assert page.post("/api/events", json={"events": events}).status_code == 200
            assert "event: events" in (next(lines), next(lines), next(lines))
        big = page.post("/api/upload?name=x.txt", content=bytes(65 << 20))
        assert big.status_code == 413
