"""A PostgreSQL server of our own, in a temporary folder, run as a user who may."""

import os
import shutil
import socket
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

FAST = "-c shared_buffers=32MB -c max_wal_size=64MB"
"""What keeps it small; it writes to disk as it does elsewhere."""


class NoPostgresError(Exception):
    """Why there can be none here."""


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def programs():
    """The folder of `initdb` and `pg_ctl`."""
    if not hasattr(os, "getuid"):
        raise NoPostgresError("PostgreSQL is run as POSIX has it")
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    raise NoPostgresError("PostgreSQL is not installed")


@dataclass
class Postgres:
    """A server that can be stopped and started."""

    folder: Path
    port: int
    programs: Path

    @classmethod
    def begin(cls):
        found = programs()
        is_root = os.getuid() == 0
        place = "/tmp" if is_root else None  # another user may not see ours
        folder = Path(tempfile.mkdtemp(prefix="caesura-postgres-", dir=place))
        if is_root:
            try:
                shutil.chown(folder, "postgres", "postgres")
            except LookupError:
                raise NoPostgresError(
                    "there is no user postgres, and root may not run it"
                ) from None
        server = cls(folder, free_port(), found)
        server.run("initdb", "-A", "trust", "-U", "caesura", "-E", "UTF8", "--no-sync")
        server.start()
        return server

    @classmethod
    def for_tests(cls):
        """A server, or a reason to skip; only CI insists on it."""
        import pytest

        try:
            return cls.begin()
        except NoPostgresError as problem:
            if os.environ.get("CI") == "true":
                pytest.fail(str(problem))
            pytest.skip(str(problem))

    def run(self, program, *options):
        command = [str(self.programs / program), "-D", str(self.folder / "data"), *options]
        if os.getuid() == 0:
            command = ["runuser", "-u", "postgres", "--", *command]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=60
        )
        if done.returncode:
            raise NoPostgresError(f"{program}: {done.stderr or done.stdout}")

    def start(self):
        places = f"-p {self.port} -h 127.0.0.1 -k {self.folder} {FAST}"
        self.run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", places, "start")

    def stop(self):
        self.run("pg_ctl", "-w", "-m", "immediate", "stop")

    def make(self, name):
        """A new database; its address."""
        import psycopg

        address = f"postgresql://caesura@127.0.0.1:{self.port}"
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        return f"{address}/{name}"

    def close(self):
        try:
            self.stop()
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
