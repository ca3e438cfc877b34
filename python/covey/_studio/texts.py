"""All texts of the studio, in English and in German: one catalogue."""

from __future__ import annotations

import re
from typing import Any

from . import said

LANGUAGES = {"en": "English", "de": "Deutsch"}
_AT = {"en": 0, "de": 1}

TEXTS: dict[str, tuple[str, str]] = {
    # the frame
    "skip": ("Skip to the content", "Zum Inhalt"),
    "screens": ("Steps", "Schritte"),
    "language": ("Language", "Sprache"),
    "theme": ("Appearance", "Darstellung"),
    "theme.auto": ("as the system", "wie das System"),
    "theme.light": ("light", "hell"),
    "theme.dark": ("dark", "dunkel"),
    "screen.open": ("Open", "Öffnen"),
    "screen.table": ("Table", "Tabelle"),
    "screen.hierarchies": ("Hierarchies", "Hierarchien"),
    "screen.promises": ("Promises", "Zusagen"),
    "screen.compare": ("Compare", "Vergleich"),
    "screen.release": ("Release", "Freigabe"),
    "lost.title": ("covey studio has stopped", "covey studio wurde beendet"),
    "lost.text": (
        "Whatever you saved is on your disk, unchanged. Start covey studio again and open the address that it prints.",
        "Was Sie gespeichert haben, liegt unverändert auf Ihrer Festplatte. Starten Sie covey studio neu und öffnen Sie die Adresse, die es ausgibt.",
    ),
    "command": ("The same on the command line", "Dasselbe auf der Kommandozeile"),
    "command.copy": ("Copy", "Kopieren"),
    "command.policy": (
        "Only a policy file says all of this: save it first (Release, Save).",
        "Alles davon sagt nur eine Richtliniendatei: speichern Sie sie zuerst (Freigabe, Speichern).",
    ),
    "error": ("This did not work", "Das ging nicht"),
    "close": ("Close", "Schließen"),
    # opening
    "open.title": ("Open a table, a policy or a release", "Tabelle, Richtlinie oder Freigabe öffnen"),
    "open.text": (
        "Everything happens on this machine. Nothing is written but what you save.",
        "Alles geschieht auf diesem Rechner. Geschrieben wird nur, was Sie speichern.",
    ),
    "open.path": ("Path, or address of a database", "Pfad oder Adresse einer Datenbank"),
    "open.go": ("Open", "Öffnen"),
    "open.here": ("In this folder", "In diesem Ordner"),
    # work
    "job.open": ("Opening", "Wird geöffnet"),
    "job.anonymize": ("Anonymizing", "Wird anonymisiert"),
    "job.compare": ("Comparing", "Wird verglichen"),
    "job.original": ("Comparing with the original", "Vergleich mit der Urtabelle"),
    "job.views": ("Looking at the release", "Freigabe wird untersucht"),
    "job.unique": ("Looking for combinations that single people out", "Suche nach Kombinationen, die Personen herausgreifen"),
    "job.probe": ("Trying the promises", "Zusagen werden probiert"),
    "job.stop": ("Stop", "Abbrechen"),
    "job.stopping": ("Stopping …", "Wird abgebrochen …"),
    "job.stopped": ("Stopped. Nothing was changed.", "Abgebrochen. Nichts wurde verändert."),
    "job.busy": ("Other work is still going on.", "Andere Arbeit läuft noch."),
    "job.rows": ("{done} of {to_do}", "{done} von {to_do}"),
    # table
    "table.title": ("What is in the table?", "Was steht in der Tabelle?"),
    "table.lead": (
        "{rows} rows, {columns} columns. Say for each column what it is: whatever somebody else could know about a person is a quasi-identifier.",
        "{rows} Zeilen, {columns} Spalten. Sagen Sie von jeder Spalte, was sie ist: Was andere über eine Person wissen können, ist ein Quasi-Identifikator.",
    ),
    "table.columns": ("Columns", "Spalten"),
    "table.column": ("Column", "Spalte"),
    "table.type": ("Type", "Art"),
    "table.distinct": ("Distinct", "Verschieden"),
    "table.missing": ("Missing", "Fehlend"),
    "table.values": ("Values", "Werte"),
    "table.unique": ("Unique rows", "Einmalige Zeilen"),
    "table.role": ("Role", "Rolle"),
    "table.why": ("Why", "Warum"),
    "table.changed": ("you chose this; proposed was {role}", "von Ihnen gewählt; vorgeschlagen war {role}"),
    "table.role_of": ("Role of {column}", "Rolle von {column}"),
    "table.rows": ("Rows", "Zeilen"),
    "table.range": ("{first} to {last} of {rows}", "{first} bis {last} von {rows}"),
    "table.first": ("First", "Anfang"),
    "table.previous": ("Previous", "Zurück"),
    "table.next": ("Next", "Weiter"),
    "table.last": ("Last", "Ende"),
    "table.goto": ("Go to row", "Zu Zeile"),
    "table.commonest": ("commonest values: {values}", "häufigste Werte: {values}"),
    "table.histogram": ("histogram from {low} to {high}", "Histogramm von {low} bis {high}"),
    "unique.title": ("What singles people out", "Was Personen herausgreift"),
    "unique.lead": (
        "Rows whose values in these columns no other row has: whoever knows them has found the person.",
        "Zeilen, deren Werte in diesen Spalten keine andere hat: Wer sie kennt, hat die Person gefunden.",
    ),
    "unique.look": ("Look for combinations", "Kombinationen suchen"),
    "unique.1": ("One column", "Eine Spalte"),
    "unique.2": ("Two columns", "Zwei Spalten"),
    "unique.3": ("Three columns", "Drei Spalten"),
    "unique.rows": ("{n} rows, {share}", "{n} Zeilen, {share}"),
    "unique.row": ("1 row, {share}", "1 Zeile, {share}"),
    "type.integer": ("integer", "Ganzzahl"),
    "type.decimal": ("decimal", "Dezimalzahl"),
    "type.date": ("date", "Datum"),
    "type.text": ("text", "Text"),
    "role.identifier": ("identifier", "Identifikator"),
    "role.quasi-identifier": ("quasi-identifier", "Quasi-Identifikator"),
    "role.sensitive": ("sensitive", "sensibel"),
    "role.insensitive": ("insensitive", "nicht sensibel"),
    "role.entity": ("entity", "Einheit"),
    "role.weight": ("weight", "Gewicht"),
    # hierarchies
    "hierarchies.title": ("How may values be made coarser?", "Wie dürfen Werte vergröbert werden?"),
    "hierarchies.lead": (
        "A hierarchy says which values become which groups. Without one, numbers are published as ranges and categories as sets.",
        "Eine Hierarchie sagt, welche Werte zu welchen Gruppen werden. Ohne sie werden Zahlen als Spannen und Kategorien als Mengen veröffentlicht.",
    ),
    "hierarchies.none": ("There is no quasi-identifier.", "Es gibt keinen Quasi-Identifikator."),
    "hierarchies.without": ("This column has no hierarchy.", "Diese Spalte hat keine Hierarchie."),
    "hierarchies.no": ("none", "keine"),
    "hierarchies.intervals": ("intervals of {widths}", "Intervalle von {widths}"),
    "hierarchies.halves": ("halves of the values", "Hälften der Werte"),
    "hierarchies.months": ("months and years", "Monate und Jahre"),
    "hierarchies.years": ("years", "Jahre"),
    "hierarchies.mask": ("mask from the right", "von rechts maskieren"),
    "hierarchies.hand": ("groups by hand", "Gruppen von Hand"),
    "hierarchies.group": ("group {n}", "Gruppe {n}"),
    "hierarchies.file": ("Or a file: one line per value, the root last", "Oder eine Datei: eine Zeile je Wert, die Wurzel zuletzt"),
    "hierarchies.tree": ("Hierarchy of {column}", "Hierarchie von {column}"),
    "hierarchies.pick": ("Choose a node to change it, or drag it onto a group.", "Wählen Sie einen Knoten, um ihn zu ändern, oder ziehen Sie ihn auf eine Gruppe."),
    "hierarchies.rename": ("Rename", "Umbenennen"),
    "hierarchies.move": ("Move to", "Verschieben nach"),
    "hierarchies.new": ("Move to a new group", "In eine neue Gruppe"),
    "hierarchies.merge": ("Merge with", "Vereinigen mit"),
    "hierarchies.add_level": ("Add a level above", "Ebene darüber einfügen"),
    "hierarchies.remove_level": ("Remove this level", "Diese Ebene entfernen"),
    "hierarchies.undo": ("Undo", "Rückgängig"),
    "hierarchies.do": ("Do it", "Ausführen"),
    "hierarchies.save": ("Save as a file", "Als Datei speichern"),
    # promises
    "promises.title": ("What must never happen?", "Was darf nie geschehen?"),
    "promises.lead": (
        "Choose what you fear. Every promise holds for every class, the rows that look alike in the release.",
        "Wählen Sie, was Sie befürchten. Jede Zusage gilt für jede Klasse, also für die Zeilen, die in der Freigabe gleich aussehen.",
    ),
    "promises.fears": ("You fear that somebody …", "Sie befürchten, dass jemand …"),
    "promises.presets": ("Thresholds that are asked for", "Verlangte Schwellen"),
    "promises.no_number": ("There is no quasi-identifier that is a number.", "Es gibt keinen Quasi-Identifikator, der eine Zahl ist."),
    "promises.no_sensitive": (
        "There is no sensitive column: choose one on the screen Table.",
        "Es gibt keine sensible Spalte: wählen Sie eine im Schritt Tabelle.",
    ),
    "fear.not": ("Does not protect from:", "Schützt nicht davor:"),
    "fear.found": ("finds out which row is a person's", "herausfindet, welche Zeile zu einer Person gehört"),
    "fear.found.not": ("everybody in a class having the same disease", "dass alle in einer Klasse dieselbe Krankheit haben"),
    "fear.certain": ("learns a person's sensitive value for sure", "den sensiblen Wert einer Person sicher erfährt"),
    "fear.certain.not": (
        "one value being far more likely than the others; values that mean nearly the same",
        "dass ein Wert viel wahrscheinlicher ist als die anderen; Werte, die fast dasselbe bedeuten",
    ),
    "fear.likely": ("learns it with a probability above 1/l", "ihn mit einer Wahrscheinlichkeit über 1/l erfährt"),
    "fear.likely.not": (
        "a rare value becoming much more likely than in the whole table",
        "dass ein seltener Wert viel wahrscheinlicher wird als in der ganzen Tabelle",
    ),
    "fear.likelier": ("thinks any value much more likely than before", "irgendeinen Wert für viel wahrscheinlicher hält als zuvor"),
    "fear.likelier.not": ("learning what holds for whole groups", "dass man lernt, was für ganze Gruppen gilt"),
    "fear.different": ("sees a class whose values differ from everybody's", "eine Klasse sieht, deren Werte von denen aller abweichen"),
    "fear.different.not": (
        "a rare value multiplying while the whole distribution hardly moves",
        "dass sich ein seltener Wert vervielfacht, während sich die Verteilung kaum bewegt",
    ),
    "fear.number": ("narrows down a number", "eine Zahl eingrenzt"),
    "fear.number.not": ("values that crowd at one end of the range", "Werte, die sich an einem Ende der Spanne drängen"),
    "meaning.k-anonymity": (
        "Everybody stands among {k} people or more who look alike: nobody is found with a chance above {k_chance}.",
        "Alle stehen unter mindestens {k} Personen, die gleich aussehen: Niemand wird mit einer Chance über {k_chance} gefunden.",
    ),
    "meaning.distinct-l-diversity": (
        "Every class shows at least {l} of the {distinct} values of {attribute}.",
        "Jede Klasse zeigt mindestens {l} der {distinct} Werte von {attribute}.",
    ),
    "meaning.p-sensitive-k-anonymity": (
        "Every class has at least {k} rows with at least {p} of the {distinct} values of {attribute}.",
        "Jede Klasse hat mindestens {k} Zeilen mit mindestens {p} der {distinct} Werte von {attribute}.",
    ),
    "meaning.probabilistic-l-diversity": (
        "No value of {attribute} fills more than {l_share} of a class; in the table the commonest, {common}, has {common_share}.",
        "Kein Wert von {attribute} füllt mehr als {l_share} einer Klasse; in der Tabelle hat der häufigste, {common}, {common_share}.",
    ),
    "meaning.entropy-l-diversity": (
        "Guessing {attribute} in a class is as hard as among {l} equally frequent values; the table has {distinct}.",
        "{attribute} in einer Klasse zu erraten ist so schwer wie unter {l} gleich häufigen Werten; die Tabelle hat {distinct}.",
    ),
    "meaning.recursive-cl-diversity": (
        "In a class the commonest value of {attribute} is less than {c} times as frequent as all from the {l}th on together.",
        "In einer Klasse ist der häufigste Wert von {attribute} weniger als {c}-mal so häufig wie alle ab dem {l}-ten zusammen.",
    ),
    "meaning.alpha-k-anonymity": (
        "Every class has at least {k} rows, and no value of {attribute} fills more than {alpha_share} of it; the commonest, {common}, has {common_share} in the table.",
        "Jede Klasse hat mindestens {k} Zeilen, und kein Wert von {attribute} füllt mehr als {alpha_share} davon; der häufigste, {common}, hat in der Tabelle {common_share}.",
    ),
    "meaning.enhanced-beta-likeness": (
        "No class makes a value of {attribute} much likelier than the table: the rarest, {rare}, which {rare_share} have, is at most {cap} of a class.",
        "Keine Klasse macht einen Wert von {attribute} viel wahrscheinlicher als die Tabelle: Der seltenste, {rare}, den {rare_share} haben, ist höchstens {cap} einer Klasse.",
    ),
    "meaning.basic-beta-likeness": (
        "A value of {attribute} becomes at most 1 + {beta} times as likely as in the table: {rare}, which {rare_share} have, is at most {cap} of a class.",
        "Ein Wert von {attribute} wird höchstens (1 + {beta})-mal so wahrscheinlich wie in der Tabelle: {rare}, den {rare_share} haben, ist höchstens {cap} einer Klasse.",
    ),
    "meaning.delta-disclosure": (
        "Every value of {attribute} is in every class, less than {factor} times as likely as in the table, and more than one {factor}th.",
        "Jeder Wert von {attribute} kommt in jeder Klasse vor, weniger als {factor}-mal so wahrscheinlich wie in der Tabelle und mehr als ein {factor}-tel.",
    ),
    "meaning.t-closeness": (
        "To turn the values of {attribute} of any class into those of the whole table, at most {t_share} of the weight has to move.",
        "Um die Werte von {attribute} einer Klasse in die der ganzen Tabelle zu verwandeln, müssen höchstens {t_share} des Gewichts wandern.",
    ),
    "meaning.ke-anonymity": (
        "Every group mixes at least {k} values of {attribute} that span at least {e}.",
        "Jede Gruppe mischt mindestens {k} Werte von {attribute}, die mindestens {e} auseinanderliegen.",
    ),
    "meaning.min-length": (
        "Every published range of {attribute} is at least {length} wide.",
        "Jede veröffentlichte Spanne von {attribute} ist mindestens {length} breit.",
    ),
    "meaning.sliced-l-diversity": (
        "No value of {attribute} can be linked to a person with a chance above {l_share}.",
        "Kein Wert von {attribute} lässt sich mit einer Chance über {l_share} einer Person zuordnen.",
    ),
    "probe.yes": ("This can be kept", "Das lässt sich halten"),
    "probe.yes.text": (
        "{method} would publish {classes} classes and lose {loss}; other methods may lose less.",
        "{method} würde {classes} Klassen veröffentlichen und {loss} verlieren; andere Verfahren verlieren vielleicht weniger.",
    ),
    "probe.no": ("This cannot be kept", "Das lässt sich nicht halten"),
    "promises.yours": ("Your promises", "Ihre Zusagen"),
    "promises.none": ("Nothing is promised yet.", "Noch ist nichts zugesagt."),
    "promises.remove": ("Remove", "Entfernen"),
    "promises.add": ("Add", "Hinzufügen"),
    "promises.attribute": ("Column", "Spalte"),
    "promises.method": ("Method", "Verfahren"),
    "promises.suppression": ("Rows that may be dropped (share)", "Zeilen, die wegfallen dürfen (Anteil)"),
    # compare
    "compare.title": ("Which release?", "Welche Freigabe?"),
    "compare.lead": (
        "Every point is a release that keeps your promises: how much it loses, and about how many people the best attack guesses right.",
        "Jeder Punkt ist eine Freigabe, die Ihre Zusagen hält: wie viel sie verliert und bei wie vielen Personen der beste Angriff richtig rät.",
    ),
    "compare.methods": ("Methods", "Verfahren"),
    "compare.vary": ("Threshold to vary", "Schwelle, die sich ändert"),
    "compare.values": ("Its values", "Werte dieser Schwelle"),
    "compare.go": ("Compare", "Vergleichen"),
    "compare.no_method": ("Choose at least one method.", "Wählen Sie mindestens ein Verfahren."),
    "compare.against": ("Loss against", "Verlust gegen"),
    "compare.ail": ("Information loss", "Informationsverlust"),
    "compare.attack": ("Found by an attack", "Vom Angriff erkannt"),
    "compare.query_error": ("Query error", "Fehler von Anfragen"),
    "compare.best": ("not beaten in both", "nicht in beidem übertroffen"),
    "compare.others": ("others", "übrige"),
    "compare.is_best": ("not beaten", "nicht übertroffen"),
    "compare.plot": (
        "{n} releases by loss and risk, {best} of them not beaten in both; the table below has the figures",
        "{n} Freigaben nach Verlust und Risiko, {best} davon nicht in beidem übertroffen; die Tabelle darunter hat die Zahlen",
    ),
    "compare.results": ("Releases that were tried", "Erprobte Freigaben"),
    "compare.release": ("Release", "Freigabe"),
    "compare.worst": ("by", "durch"),
    "compare.choose": ("Choose", "Wählen"),
    "compare.chosen": ("chosen", "gewählt"),
    "compare.waits": ("not yet", "noch nicht"),
    "compare.impossible": ("not possible", "nicht möglich"),
    "compare.refused": ("{n} were not possible", "{n} waren nicht möglich"),
    # release
    "release.title": ("Release", "Freigabe"),
    "release.make": ("Anonymize", "Anonymisieren"),
    "release.again": ("Anonymize again", "Erneut anonymisieren"),
    "release.none": ("There is no release yet.", "Noch gibt es keine Freigabe."),
    "release.stale": (
        "The wishes have changed since this release was made.",
        "Die Wünsche haben sich geändert, seit diese Freigabe entstand.",
    ),
    "release.holds": ("The release holds", "Die Freigabe hält, was sie zusagt"),
    "release.holds.text": (
        "Every promise was proven again from its files.",
        "Jede Zusage wurde aus den Dateien der Freigabe neu bewiesen.",
    ),
    "release.faithful": (
        "Every published row is one of the original's, one to one.",
        "Jede veröffentlichte Zeile ist eine der ursprünglichen, eins zu eins.",
    ),
    "release.broken": ("The release does not hold", "Die Freigabe hält nicht, was sie zusagt"),
    "release.broken.text": (
        "Do not rely on it, and do not publish it.",
        "Verlassen Sie sich nicht auf sie und veröffentlichen Sie sie nicht.",
    ),
    "release.warning": ("To be considered", "Zu bedenken"),
    "release.promise": ("Promise", "Zusage"),
    "release.of": ("Of", "Von"),
    "release.threshold": ("Threshold", "Schwelle"),
    "release.achieved": ("Achieved", "Erreicht"),
    "release.verdict": ("Verdict", "Urteil"),
    "release.kept": ("holds", "hält"),
    "release.not_kept": ("broken", "verletzt"),
    "release.classes": ("classes", "Klassen"),
    "release.counts": (
        "{published} of {rows} rows published in {classes} classes by {method}; {suppressed} dropped.",
        "{published} von {rows} Zeilen in {classes} Klassen veröffentlicht durch {method}; {suppressed} weggelassen.",
    ),
    "release.nearest": ("What could be kept", "Was sich halten ließe"),
    "release.take": ("Take that", "Das übernehmen"),
    "release.original": ("The table that it was made of, if you have it", "Die Tabelle, aus der sie entstand, falls Sie sie haben"),
    "release.original.go": ("Compare with it", "Damit vergleichen"),
    "release.views": ("Views of the release", "Ansichten der Freigabe"),
    "view.overview": ("Overview", "Überblick"),
    "view.rows": ("Rows", "Zeilen"),
    "view.loss": ("Loss", "Verlust"),
    "view.distributions": ("Distributions", "Verteilungen"),
    "view.risks": ("Risks", "Risiken"),
    "view.questions": ("Questions", "Fragen"),
    "rows.table": ("Table", "Tabelle"),
    "rows.pairs": (
        "Changed cells are marked; below each, what a row of the original has that fits. The release does not say which row it was.",
        "Veränderte Zellen sind markiert; darunter steht, was eine passende Zeile der ursprünglichen Tabelle hat. Die Freigabe sagt nicht, welche es war.",
    ),
    "loss.ail": ("information loss", "Informationsverlust"),
    "loss.risk": ("largest risk to be found", "größtes Risiko, gefunden zu werden"),
    "loss.mean_risk": ("risk on average", "Risiko im Mittel"),
    "loss.class": ("rows in a class, on average", "Zeilen je Klasse, im Mittel"),
    "loss.attributes": ("What each column has lost", "Was jede Spalte verloren hat"),
    "loss.sizes": ("Sizes of classes", "Größen der Klassen"),
    "loss.rows": ("rows in a class", "Zeilen in einer Klasse"),
    "distribution.before": ("original", "vorher"),
    "distribution.after": ("estimate", "Schätzung"),
    "distribution.bounds": ("bounds", "Schranken"),
    "distribution.lower": ("at least", "mindestens"),
    "distribution.upper": ("at most", "höchstens"),
    "distribution.cut": (
        "Some bounds reach beyond the plot; the table has them.",
        "Manche Schranken reichen über das Bild hinaus; die Tabelle nennt sie.",
    ),
    "distribution.most": ("The {n} commonest values are shown.", "Gezeigt werden die {n} häufigsten Werte."),
    "risks.promises": ("How much of what is allowed is used", "Wie viel des Erlaubten ausgeschöpft ist"),
    "risks.of": ("{achieved}, threshold {threshold}", "{achieved} bei Schwelle {threshold}"),
    "risks.attacks": ("What an adversary gains", "Was ein Angreifer gewinnt"),
    "risks.left_out": ("{n} attacks do not apply here", "{n} Angriffe sind hier nicht anwendbar"),
    "verdict.safe": ("safe", "sicher"),
    "verdict.exceeds": ("exceeds its bound", "über der Schranke"),
    "verdict.information": ("information", "zur Kenntnis"),
    "attack.figure": ("figure", "Wert"),
    "attack.prior": ("without the release", "ohne die Freigabe"),
    "attack.ceiling": ("with the original", "mit der Urtabelle"),
    "attack.bound": ("bound", "Schranke"),
    "questions.lead": (
        "Answers are bounds that hold for every table that the release could have come from, and an estimate between them.",
        "Antworten sind Schranken, die für jede Tabelle gelten, aus der die Freigabe entstanden sein könnte, mit einer Schätzung dazwischen.",
    ),
    "questions.sql": ("Question (SQL)", "Frage (SQL)"),
    "questions.ask": ("Ask", "Fragen"),
    "questions.hits": ("Between {lower} and {upper} rows are selected.", "Zwischen {lower} und {upper} Zeilen sind ausgewählt."),
    "questions.what": ("What", "Was"),
    "questions.lower": ("At least", "Mindestens"),
    "questions.interval": ("Bounds and estimate", "Schranken und Schätzung"),
    "questions.upper": ("At most", "Höchstens"),
    "questions.estimate": ("Estimate", "Schätzung"),
    "questions.more": ("and {n} more", "und {n} weitere"),
    # saving
    "save.title": ("Save", "Speichern"),
    "save.release": ("Release (a folder)", "Freigabe (ein Ordner)"),
    "save.policy": ("Policy", "Richtlinie"),
    "save.report": ("Report", "Bericht"),
    "save.go": ("Save", "Speichern"),
    "save.done": ("Saved: {path}", "Gespeichert: {path}"),
    "save.force": ("replace what is there", "Vorhandenes ersetzen"),
}


class Words:
    """The catalogue in one language."""

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else "en"

    def __call__(self, key: str, **values: Any) -> str:
        text = TEXTS[key][_AT[self.language]]
        return text.format(**{k: self.number(v) if isinstance(v, (int, float)) else v for k, v in values.items()}) if values else text

    def has(self, key: str) -> bool:
        return key in TEXTS

    def or_else(self, key: str, text: str) -> str:
        """The catalogue's text, or the library's own where the catalogue has none."""
        return TEXTS[key][_AT[self.language]] if key in TEXTS else text

    def said(self, text: object) -> str:
        """What the library says, in this language where the catalogue has it."""
        return said.in_german(str(text)) if self.language == "de" else str(text)

    def exact(self, value: object) -> str:
        """A figure as the library gives it (an integer, a decimal, a fraction) as the language writes it, with enough digits."""
        text = str(value)
        if re.fullmatch(r"-?\d+", text):
            return self.number(int(text))
        if re.fullmatch(r"-?\d+(\.\d+|/\d+)", text):
            top, _, bottom = text.partition("/")
            return self.number(float(top) / float(bottom or 1))
        return text

    def number(self, value: float | int | None, digits: int = 4) -> str:
        """A number as the language writes it."""
        if value is None:
            return "–"
        text = f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"
        return text.translate(str.maketrans(",.", ".,")) if self.language == "de" else text

    def percent(self, share: float | None, *, in_column: bool = False) -> str:
        """in_column: with as many digits as the shares below it."""
        if share is None:
            return "–"
        text = f"{share * 100:.1f}" if abs(share) >= 0.1 else f"{share * 100:.3g}" if abs(share) >= 1e-6 or share == 0 else f"{share * 100:.0e}"
        if not in_column:
            text = text.removesuffix(".0")
        if self.language == "de":
            return text.replace(".", ",") + "\u202f%"
        return text + "%"


def language_of(accepted: str) -> str:
    """The first language of an Accept-Language header that there are texts in."""
    for part in accepted.lower().split(","):
        word = part.split(";")[0].strip().split("-")[0]
        if word in LANGUAGES:
            return word
    return "en"
