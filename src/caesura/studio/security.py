"""Security: who may ask, from where and how much, and what answers tell browsers."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from caesura.errors import UsageError

COOKIE = "caesura_session"
HEADER, VALUE = "x-caesura", "studio"
"""What every request that changes something has, and no form on another page can send."""
LARGEST_JSON, LARGEST_FILE, LARGEST_SOUND = 1 << 20, 64 << 20, 1 << 30
"""The most bytes of a request, of a file that is added, and of a file of sound."""
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
LONGEST_PATH = 200
SAFE = ("GET", "HEAD")
NAVIGATION = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
"""What a browser sends if somebody follows a link, also one in a letter or in another page."""
TOKEN_BYTES = 24
DEFAULT_PORTS = {"http": 80, "https": 443}
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
            hosts.add(urlsplit(checked_url(url)).netloc)
        return cls(frozenset(hosts))

    def is_own(self, host: str) -> bool:
        """Whether a request names the studio as its host."""
        return host.casefold() in self.hosts

    def allows(self, method: str, headers: Mapping[str, str], path: str = "") -> bool:
        """Whether a request comes from a page of the studio, or only reads.

        The empty page may be opened from anywhere: links are sent by mail and chat.
        """
        origin = headers.get("origin", "")
        if origin and not self.is_own(_host(origin)):
            return False
        is_followed = path == "/" and all(
            headers.get(key) == value for key, value in NAVIGATION.items()
        )
        site = headers.get("sec-fetch-site", "same-origin")
        if site not in ("same-origin", "none") and not is_followed:
            return False
        return method in SAFE or headers.get(HEADER) == VALUE


class Guard:
    """Middleware that refuses requests for other hosts and from other origins."""

    def __init__(self, app: ASGIApp, origin: Origin) -> None:
        self.app, self.origin = app, origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers, answer = Headers(scope=scope), self.app

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if len(scope["path"]) > LONGEST_PATH:
            answer = JSONResponse({"error": "there is nothing here"}, 404)
        elif not self.origin.is_own(headers.get("host", "")):
            answer = JSONResponse({"error": "this is another host"}, 421)
        elif not self.origin.allows(scope["method"], headers, scope["path"]):
            answer = JSONResponse({"error": "this is another page"}, 403)
        await answer(scope, receive, guarded)


def checked_url(url: str) -> str:
    """The address that people use, without what browsers leave out; an error if it is none.

    >>> checked_url("HTTPS://Studio.example.org:443/")
    'https://studio.example.org'
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    is_plain = host.isascii() and not set(host) & set(" \\'\"<>") and parts.username is None
    if parts.scheme not in DEFAULT_PORTS or not host or not is_plain or parts.path not in ("", "/"):
        raise UsageError(_NO_URL.format(url))
    if parts.query or parts.fragment:
        raise UsageError(_NO_URL.format(url))
    shown = f"[{host}]" if ":" in host else host
    is_default = port is None or port == DEFAULT_PORTS[parts.scheme]
    return f"{parts.scheme}://{shown}{'' if is_default else f':{port}'}"


_NO_URL = "'{}' is not an address of a studio; give https://HOST or https://HOST:PORT, no path"


def _host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hashed(token: str) -> str:
    """The hash of a token, which is stored in its place."""
    return sha256(token.encode(errors="replace")).hexdigest()
