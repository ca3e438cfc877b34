"""Who may talk to the page: whoever has the token, from this machine, and no other site's page.

The first address has the token as `?token=`; everything that the page loads then lies below `/TOKEN/`, so that no cookie
is needed, which every port of 127.0.0.1 would be sent.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# The framework compiles its components in the page, hence unsafe-eval; whatever runs there can reach this server alone.
_POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self' {socket}; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_REFUSED = b"403: this page needs the address that covey studio printed, with its token.\n"


class Guard:
    """Answers 403 to a request without the token, or with a foreign Host or Origin; hands on all others."""

    def __init__(self, app: App, token: str, port: int) -> None:
        self._app = app
        self._token = token
        self._host = f"127.0.0.1:{port}"
        self._headers = [
            (b"content-security-policy", _POLICY.format(socket=f"ws://{self._host}").encode()),
            (b"referrer-policy", b"no-referrer"),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"cross-origin-opener-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif self._is_own(scope) and self._find_token(scope):
            await self._app(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: a 403
        else:
            await _refuse(send)

    def _is_own(self, scope: Scope) -> bool:
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        origin = headers.get("origin", [])
        return headers.get("host") == [self._host] and all(text == f"http://{self._host}" for text in origin)

    def _find_token(self, scope: Scope) -> bool:
        """Is the token there? Then the rest of the path is left to the application."""
        path: str = scope["path"]
        if path == "/":
            given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
            if not self._is_token(given):
                return False
            scope["path"] = f"/{self._token}/"
        elif not self._is_token(path[1:].split("/")[0]):
            return False
        scope["root_path"] = f"/{self._token}"
        scope["raw_path"] = scope["path"].encode()
        scope["headers"] = [pair for pair in scope["headers"] if pair[0].lower() != b"x-forwarded-prefix"]
        return True

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self._token.encode())

    def _with_headers(self, send: Send) -> Send:
        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        return send_with_headers


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(_REFUSED)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": _REFUSED})
