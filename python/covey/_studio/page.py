"""The page: its frame, and which part of it is drawn again when something changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nicegui import context, ui

from .._errors import Error
from . import trouble
from .elements import Node, button, choice, notice
from .jobs import Job
from .state import Studio
from .words import LANGUAGES, Words

SCREENS = ("open", "table", "hierarchies", "promises", "compare", "release")


class Settings:
    """What somebody chose about how the studio looks, in all tabs; language: empty as long as it is the browser's."""

    def __init__(self) -> None:
        self.language = ""
        self.theme = "auto"


class Region:
    """A part of a page that is drawn again when one of its topics has changed.

    shows: what it makes its drawing of. As long as that is the same nothing is drawn: a click or a choice there that is on
    its way to the server would be lost with what it was made on.
    """

    def __init__(
        self, page: Page, topics: tuple[str, ...], draw: Callable[[], Any], tag: str = "div", shows: Callable[[], Any] | None = None, **attributes: Any
    ) -> None:
        self._page = page
        self._topics = topics
        self._draw = draw
        self._shows = shows
        self.node = Node(tag, **attributes)
        self._seen: tuple[int, ...] = ()
        self._shown: Any = None
        self.check()

    def check(self) -> None:
        now = tuple(self._page.version(topic) for topic in self._topics)
        if now == self._seen:
            return
        is_first, self._seen = not self._seen, now
        shown = self._shows() if self._shows is not None else None
        if is_first or self._shows is None or shown != self._shown:
            self._shown = shown
            self.draw()

    def draw(self) -> None:
        self.node.clear()
        with self.node:
            self._draw()

    @property
    def is_gone(self) -> bool:
        return self.node.is_deleted


class Watch:
    """Something small that is brought up to date in its place, so that whoever types or clicks there is not disturbed."""

    def __init__(self, page: Page, topics: tuple[str, ...], node: Node, act: Callable[[], Any]) -> None:
        self._page = page
        self._topics = topics
        self._act = act
        self.node = node
        self._seen = self._now()

    def _now(self) -> tuple[int, ...]:
        return tuple(self._page.version(topic) for topic in self._topics)

    def check(self) -> None:
        if self._now() != self._seen:
            self._seen = self._now()
            self._act()

    @property
    def is_gone(self) -> bool:
        return self.node.is_deleted


class Page:
    """One tab of the browser.

    Attributes:
        studio: what all tabs share.
        t: the texts in the language of the page.
        screen: which screen is shown.
        kept: what somebody chose in this tab: views, pages.
    """

    def __init__(self, studio: Studio, settings: Settings, language: str, token: str, screen: str, screens: Mapping[str, Callable[[Page], Any]]) -> None:
        self.studio = studio
        self.settings = settings
        self.t = Words(language)
        self.regions: list[Region | Watch] = []
        self.kept: dict[str, Any] = {}
        self._own: Counter[str] = Counter()
        self._token = token
        self._client = context.client
        self._screens = screens
        self._said: Exception | None = None
        self.screen = screen if screen in SCREENS else self._first_screen()
        self._chosen = screen in SCREENS
        self._build()

    def _first_screen(self) -> str:
        return {"": "open", "release": "release"}.get(self.studio.kind, "table")

    def region(
        self, topics: tuple[str, ...], draw: Callable[[], Any], tag: str = "div", shows: Callable[[], Any] | None = None, **attributes: Any
    ) -> Region:
        region = Region(self, topics, draw, tag, shows, **attributes)
        self.regions.append(region)
        return region

    def version(self, topic: str) -> int:
        return self.studio.versions[topic] + self._own[topic]

    def draw_again(self, topic: str) -> None:
        """Something of this tab alone has changed, such as which view is shown."""
        self._own[topic] += 1
        self.check()

    def watch(self, topics: tuple[str, ...], node: Node, value: Callable[[], str]) -> None:
        """Keeps the value of a field or a menu what it is; what is being typed there stays as long as that is the same."""
        known = [value()]

        def follow() -> None:
            if value() != known[0]:
                known[0] = value()
                node.set("value", known[0])

        self.follow(topics, node, follow)

    def follow(self, topics: tuple[str, ...], node: Node, act: Callable[[], Any]) -> None:
        """Calls act when one of the topics has changed, as long as the node is there."""
        self.regions.append(Watch(self, topics, node, act))

    # ---- what happens ----

    def act(self, work: Callable[[], Any]) -> bool:
        """Does what somebody asked for, says what goes wrong, and shows what has changed. Did it go well?"""
        self._said = None
        try:
            work()
        except (Error, OSError) as error:
            self._said = error
        self._messages.draw()
        self.check()
        return self._said is None

    def check(self) -> None:
        for region in list(self.regions):
            if not region.is_gone:
                region.check()
        self.regions = [region for region in self.regions if not region.is_gone]

    def go(self, screen: str) -> None:
        """Shows another screen; the address says which, for a reload and for the browser's way back."""
        if screen != self.screen:
            self.run(f"history.pushState(null, '', '/?token={self._token}&screen={screen}')")
        self._show(screen)

    def _go_back(self, screen: object) -> None:
        """The browser has gone back, or forward, to the address of a screen."""
        self._show(screen if isinstance(screen, str) and screen in SCREENS else self._first_screen())

    def _show(self, screen: str) -> None:
        self.screen, self._chosen = screen, True
        self._said = None
        self._messages.draw()
        self._mark_steps()
        self._main.draw()
        self.run("document.getElementById('content').focus({preventScroll: true}); scrollTo(0, 0)")

    # ---- what is drawn ----

    def _build(self) -> None:
        t = self.t
        Node("a", t("skip"), "skip", href="#content")
        with Node("header", classes="top"):
            Node("span", "covey studio", "brand")
            self.region(("table", "release"), self._draw_name, "span", classes="name")
            with Node("div", classes="settings"):
                choice(LANGUAGES.items(), t.language, self._set_language, label=t("language"), key="language", visible=False)
                themes = [(word, t(f"theme.{word}")) for word in ("auto", "light", "dark")]
                choice(themes, self.settings.theme, self._set_theme, label=t("theme"), key="theme", visible=False)
        with Node("div", classes="frame"):
            self._steps: dict[str, Node] = {}
            with Node("nav", aria_label=t("screens"), classes="steps"):
                self._draw_nav()
            with Node("div", id="content", tabindex="-1"):  # the framework has the main around it
                self._messages = self.region(("error",), self._draw_messages)
                self.region(("job",), self._draw_job, shows=lambda: stands(self.studio.job))
                self._main = self.region(("table", "opened"), self._draw_screen, classes="screen")
        self.region(("table", "wishes", "saved", "release"), self._draw_command, "footer", classes="command")
        ui.timer(0.2, self.check)
        ui.on("covey-screen", lambda event: self._go_back(event.args))

    def _draw_name(self) -> None:
        Node("span", re.sub(r"(://[^:@/]*):[^@/]*@", r"\1@", self.studio.path or ""))  # a password is nobody else's

    def _draw_nav(self) -> None:
        """Drawn once, and marked anew: a click on what is drawn again at that moment would be lost."""
        with Node("ol") as steps:
            for screen in SCREENS:
                with Node("li"):
                    self._steps[screen] = button(self.t(f"screen.{screen}"), partial(self.go, screen), "step", key=f"go-{screen}")
        self._mark_steps()
        self.follow(("table", "release", "opened"), steps, self._mark_steps)

    def _mark_steps(self) -> None:
        studio = self.studio
        if not self._chosen and self.screen == "open" and studio.kind:
            self.screen = self._first_screen()
        for screen, node in self._steps.items():
            ready = screen == "open" or studio.table is not None or (screen == "release" and studio.release is not None)
            node.set("aria_current", "page" if screen == self.screen else None).set("disabled", not ready)

    def _draw_screen(self) -> None:
        if self.studio.table is None and self.studio.release is None and self.screen != "open":
            return
        self._screens[self.screen](self)

    def _draw_messages(self) -> None:
        if self._said is not None:
            trouble.draw(self, self._said)

    def _draw_job(self) -> None:
        job, t = self.studio.job, self.t
        if job is None or job.state == "done":
            return
        if job.state == "failed":
            trouble.draw(self, job.error)
        elif job.state == "cancelled":
            notice("plain", t("job.stopped"))
        else:
            with Node("div", classes="job"):
                Node("strong", t(f"job.{job.name}") if job.state == "running" else t("job.stopping"))
                bar = Node("progress", max="1", aria_label=t(f"job.{job.name}"))
                amount = Node("span", "", "quiet")
                button(t("job.stop"), lambda: self.act(job.cancel), key="stop", disabled=job.state != "running")

            def advance() -> None:
                bar.set("value", f"{job.done / job.to_do:.3f}" if job.to_do else None)
                amount.set_text(_amount(t, job.phase, job.done, job.to_do))

            advance()
            self.follow(("job",), bar, advance)

    def _draw_command(self) -> None:
        studio, t = self.studio, self.t
        line = studio.command_line(studio.saved.get("release") or studio.beside("-release"))
        with Node("div"):
            Node("span", t("command"), "quiet")
            Node("code", line, data_key="command-line", tabindex="0")
            copy = Node("button", t("command.copy"), "button quiet", type="button", data_key="copy")
            copy.on("click", js_handler="(e) => coveyCopy(e.target.closest('footer').querySelector('code').textContent)")
        if studio.needs_policy_file():
            Node("p", t("command.policy"), "quiet")
        if studio.is_drawn():
            Node("p", t("command.drawn", method=studio.method["name"]), "quiet")

    # ---- settings ----

    def _set_language(self, language: str) -> None:
        if language in LANGUAGES:
            self.settings.language = language
            self._reload()

    def _set_theme(self, theme: str) -> None:
        if theme in ("auto", "light", "dark"):
            self.settings.theme = theme
            self._reload()

    def _reload(self) -> None:
        self.run(f"location.replace('/?token={self._token}&screen={self.screen}')")

    def run(self, script: str) -> None:
        """Runs a script of the studio's own in this tab."""
        self._client.run_javascript(script)


def stands(job: Job | None) -> tuple[Job | None, str]:
    """What a job is at, but for how far: its button to stop stays where it is while the work goes on."""
    return job, job.state if job is not None else ""


def _amount(t: Words, phase: str, done: int, to_do: int) -> str:
    amount = t("job.rows", done=done, to_do=to_do) if to_do else t.number(done) if done else ""
    return f"{t.or_else(f'phase.{phase}', phase)} {amount}".strip()
