"""Guard: requests for other hosts and from other origins are refused, and answers get headers."""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from caesura.studio.security import HEADERS, Origin

LONGEST_PATH = 200


class Guard:
    """Middleware that refuses requests for other hosts and from other origins."""

    def __init__(self, app: ASGIApp, origin: Origin) -> None:
        self.app, self.origin = app, origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]
        }

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {key for key, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (key.encode(), value.encode())
                        for key, value in HEADERS.items()
                        if key.encode() not in known
                    ),
                ]
            await send(message)

        if len(scope["path"]) > LONGEST_PATH:
            await JSONResponse({"error": "there is nothing here"}, 404)(scope, receive, guarded)
        elif not self.origin.is_own(headers.get("host", "")):
            await JSONResponse({"error": "this is another host"}, 421)(scope, receive, guarded)
        elif not self.origin.allows(scope["method"], headers, scope["path"]):
            await JSONResponse({"error": "this is another page"}, 403)(scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)
