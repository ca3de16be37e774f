"""Security: who may ask, from where, how often, and how much."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

COOKIE = "caesura_session"
HEADER, VALUE = "x-caesura", "studio"
"""What every request that changes something has, and no form on another page can send."""
LARGEST_JSON, LARGEST_FILE = 1 << 20, 64 << 20
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "media-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}
REPORT_POLICY = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; frame-ancestors 'none'"
)
"""What a report may do: its own scripts run, in an origin of its own without the session."""
SAFE = ("GET", "HEAD")
LOCAL = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Origin:
    """The hosts and ports under which requests may reach the studio."""

    hosts: frozenset[str]

    @classmethod
    def from_address(cls, host: str, port: int, url: str = "") -> Origin:
        """The hosts of an address, of this machine, and of the address that people use."""
        names = {host.casefold(), *LOCAL}
        hosts = {f"{name}:{port}" for name in names} | (names if port in (80, 443) else set())
        if url:
            hosts.add(urlsplit(url).netloc.casefold())
        return cls(frozenset(hosts))

    def is_own(self, host: str) -> bool:
        """Whether a request names the studio as its host."""
        return host.casefold() in self.hosts

    def allows(self, method: str, headers: Mapping[str, str]) -> bool:
        """Whether a request comes from a page of the studio, or only reads."""
        origin = headers.get("origin", "")
        if origin and not self.is_own(_host(origin)):
            return False
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        return method in SAFE or headers.get(HEADER) == VALUE


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


@dataclass(slots=True)
class Limiter:
    """A rate limit for each name.

    A name has `most` tries, which come back over `seconds`.
    """

    most: int
    seconds: float
    names: int = 10_000
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def allows(self, name: str, cost: int = 1, now: float | None = None) -> bool:
        """Use one attempt, if any is left."""
        now = time.monotonic() if now is None else now
        left, at = self._left.pop(name, (float(self.most), now))
        left = min(float(self.most), left + (now - at) * self.most / self.seconds)
        is_allowed = left >= cost
        self._left[name] = (left - cost if is_allowed else left), now
        while len(self._left) > self.names:
            self._left.popitem(last=False)
        return is_allowed

    def give_back(self, name: str) -> None:
        """Return an attempt that does not count."""
        left, at = self._left.get(name, (float(self.most), 0.0))
        self._left[name] = min(float(self.most), left + 1), at
