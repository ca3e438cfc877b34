"""The server: one page on the loopback, for one person."""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
import sys
import threading
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from nicegui import ui

from . import compare_screen, hierarchies_screen, open_screen, promises_screen, release_screen, table_screen, words
from .guard import Guard
from .page import Page, Settings
from .state import Studio


def serve(studio: Studio, own: socket.socket, *, browser: bool) -> None:
    """Serves the studio until it is stopped; the first line on standard output is its address."""
    token = secrets.token_urlsafe(24)
    port = own.getsockname()[1]
    settings = Settings()
    screens = {
        "open": open_screen.draw,
        "table": table_screen.draw,
        "hierarchies": hierarchies_screen.draw,
        "promises": promises_screen.draw,
        "compare": compare_screen.draw,
        "release": release_screen.draw,
    }

    def show(request: Request) -> None:
        language = settings.language or words.language_of(request.headers.get("accept-language", ""))
        ui.add_head_html(_head(language, settings.theme))
        Page(studio, settings, language, token, request.query_params.get("screen", ""), screens)

    for name in ("nicegui", "uvicorn.error"):
        logging.getLogger(name).addFilter(_News(token))
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    ui.page("/", title="covey studio")(show)
    ui.run_with(app, title="covey studio", favicon=_ICON, tailwind=False, show_welcome_message=False, language="en-US", reconnect_timeout=20)
    config = uvicorn.Config(Guard(app, token, port), log_level="error", access_log=False, server_header=False, ws_max_size=1 << 20)
    server = uvicorn.Server(config)
    address = f"http://127.0.0.1:{port}/?token={token}"
    print(address, flush=True)
    if browser:
        threading.Thread(target=_open_browser, args=(address,), daemon=True).start()
    server.run(sockets=[own])


class _News(logging.Filter):
    """What is worth a line of the log, never with the token: who reads the log has no business on the page."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        if self._token in said:
            record.msg, record.args = said.replace(self._token, "..."), ()
        # The framework warns of its own tasks that end later than it would like, when a tab is closed on a busy machine.
        return not said.startswith("Could not cancel")


def _open_browser(address: str) -> None:
    import webbrowser

    if not webbrowser.open(address):
        print("covey: no browser was found here: open the address in one", file=sys.stderr, flush=True)


def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _head(language: str, theme: str) -> str:
    t = words.Words(language)
    facts: dict[str, Any] = {"language": language, "theme": theme, "lost": [t("lost.title"), t("lost.text")]}
    script = f"window.covey = {json.dumps(facts)};\n{_file('studio.js')}"
    return f"<style>{_file('studio.css')}</style><script>{script}</script>"


_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><g fill="#0f766e"><circle cx="5" cy="6" r="2.6"/>'
    '<circle cx="11" cy="6" r="2.6"/><circle cx="8" cy="11" r="2.6"/></g></svg>'
)
