"""What the library says, in German: its sentences are English, and those that a steward meets on the page stand here.

A pattern is the library's own sentence with {a}, {b} ... where something of the table stands; the tests look for its words in
the library's source. What has no pattern is shown as the library says it.
"""

from __future__ import annotations

import re
from functools import cache

PATTERNS: tuple[tuple[str, str], ...] = (
    # why a role is proposed
    ('its name says "{a}"', 'ihr Name sagt "{a}"'),
    ("the same in every row", "in jeder Zeile gleich"),
    ("nothing is in it", "sie ist leer"),
    ("no value occurs twice", "kein Wert kommt zweimal vor"),
    ("hardly a value occurs twice", "kaum ein Wert kommt zweimal vor"),
    ("a date: others may know when something happened", "ein Datum: andere wissen vielleicht, wann etwas geschah"),
    ("others may know it", "andere wissen es vielleicht"),
    # what the page itself refuses
    ("other work is still going on: stop it first", "andere Arbeit läuft noch: brechen Sie sie erst ab"),
    (
        "the release is no image of {a}: it is another table, or the release was changed: {b}",
        "die Freigabe ist kein Abbild von {a}: das ist eine andere Tabelle, oder die Freigabe wurde geändert: {b}",
    ),
    ('column "{a}": {b} of its values are not in the hierarchy: {c}', 'Spalte "{a}": {b} ihrer Werte stehen nicht in der Hierarchie: {c}'),
    ('"{a}" is not of the level above "{b}": put it into a group of that level', '"{a}" ist nicht von der Stufe über "{b}": legen Sie es in eine Gruppe dieser Stufe'),
    ("{a}: exists already, and is no policy: it is not replaced", "{a}: gibt es schon, und ist keine Richtlinie: es wird nicht ersetzt"),
    # presets
    (
        "no class of fewer than 11 rows: the cell size rule of US Medicare data (k-anonymity with k = {a})",
        "keine Klasse mit weniger als 11 Zeilen: die Regel für Daten von US Medicare (k-anonymity mit k = {a})",
    ),
    (
        "largest re-identification risk {a}, as for clinical reports in the EU (k-anonymity with k = {b})",
        "größtes Risiko der Wiedererkennung {a}, wie für klinische Berichte in der EU (k-anonymity mit k = {b})",
    ),
    (
        "largest re-identification risk {a}, low invasion of privacy (k-anonymity with k = {b})",
        "größtes Risiko der Wiedererkennung {a}, geringer Eingriff in die Privatsphäre (k-anonymity mit k = {b})",
    ),
    (
        "largest re-identification risk {a}, medium invasion of privacy (k-anonymity with k = {b})",
        "größtes Risiko der Wiedererkennung {a}, mittlerer Eingriff in die Privatsphäre (k-anonymity mit k = {b})",
    ),
    (
        "largest re-identification risk {a}, high invasion of privacy (k-anonymity with k = {b})",
        "größtes Risiko der Wiedererkennung {a}, starker Eingriff in die Privatsphäre (k-anonymity mit k = {b})",
    ),
    (
        "ages of 90 and more as 90+, ZIP codes as three digits, small areas as 000: two of the rules of HIPAA's Safe Harbor",
        "Alter ab 90 als 90+, Postleitzahlen mit drei Ziffern, kleine Gebiete als 000: zwei der Regeln von HIPAAs Safe Harbor",
    ),
    # attacks
    (
        "Who knows the class of a row takes a value to be up to {a} times likelier than in the whole table; for {b}% of the rows some value at least doubles.",
        "Wer die Klasse einer Zeile kennt, hält einen Wert für bis zu {a}-mal so wahrscheinlich wie in der ganzen Tabelle; bei {b} % der Zeilen verdoppelt sich irgendein Wert mindestens.",
    ),
    ("A value fills at most {a}% of a class.", "Ein Wert füllt höchstens {a} % einer Klasse."),
    ("Every row of a class that it fills is known to have it.", "Von jeder Zeile einer Klasse, die er füllt, weiß man ihn."),
    ("No row's value is certain.", "Von keiner Zeile steht der Wert fest."),
    (
        "Whoever believes the targets takes a row's value to be known with a chance of at most {a}%.",
        "Wer den Zielverteilungen glaubt, hält den Wert einer Zeile mit einer Chance von höchstens {a} % für bekannt.",
    ),
    (
        "Who rules out one value for a row knows another with a chance of up to {a}%, on average of at most {b}%.",
        "Wer einen Wert für eine Zeile ausschließt, kennt einen anderen mit einer Chance von bis zu {a} %, im Mittel von höchstens {b} %.",
    ),
    ("Nothing was promised about it.", "Darüber wurde nichts zugesagt."),
    (
        "Who learns from the release how attributes and values go together guesses {a}% of the original's rows rightly; always guessing the most frequent value, {b}%; having learned from the original, {c}%.",
        "Wer aus der Freigabe lernt, wie Merkmale und Werte zusammenhängen, errät {a} % der ursprünglichen Zeilen; wer immer den häufigsten Wert rät, {b} %; wer aus der Urtabelle gelernt hat, {c} %.",
    ),
    (
        "Who learns from the release how attributes and values are to be expected to go together guesses {a}% of the original's rows rightly; always guessing the most frequent value, {b}%; having learned from the original, {c}%.",
        "Wer aus der Freigabe lernt, wie Merkmale und Werte wohl zusammenhängen, errät {a} % der ursprünglichen Zeilen; wer immer den häufigsten Wert rät, {b} %; wer aus der Urtabelle gelernt hat, {c} %.",
    ),
    ("Some factor exceeds what the promises allow.", "Mancher Faktor überschreitet, was die Zusagen erlauben."),
    (
        "Perturbation protects the record, not the group: who reconstructs how attributes and values go together guesses {a}% of the rows rightly, against {b}% without the release and {c}% from the original.",
        "Verfälschung schützt die einzelne Zeile, nicht die Gruppe: Wer rekonstruiert, wie Merkmale und Werte zusammenhängen, errät {a} % der Zeilen, gegen {b} % ohne die Freigabe und {c} % aus der Urtabelle.",
    ),
    (
        "Who learns from the groups which row has which value guesses {a}% of the rows rightly; without learning, {b}%; always the most frequent value, {c}%.",
        "Wer aus den Gruppen lernt, welche Zeile welchen Wert hat, errät {a} % der Zeilen; ohne zu lernen {b} %; immer mit dem häufigsten Wert {c} %.",
    ),
    ("The groups teach how attributes and values go together.", "Die Gruppen lehren, wie Merkmale und Werte zusammenhängen."),
    ("Learning adds next to nothing to knowing the class.", "Lernen fügt dem Wissen um die Klasse fast nichts hinzu."),
    (
        "Learning adds next to nothing to knowing the class, which alone tells more than the quasi-identifiers of the original would.",
        "Lernen fügt dem Wissen um die Klasse fast nichts hinzu, die allein schon mehr sagt, als es die Quasi-Identifikatoren der Urtabelle täten.",
    ),
    (
        "Who knows one other row of a class knows a row's value with a chance of up to {a}%; who knows ten, of up to {b}%.",
        "Wer eine andere Zeile der Klasse kennt, kennt den Wert einer Zeile mit einer Chance von bis zu {a} %; wer zehn kennt, von bis zu {b} %.",
    ),
    (
        "Who sees a row's published value knows its true one with a chance of up to {a}%.",
        "Wer den veröffentlichten Wert einer Zeile sieht, kennt den wahren mit einer Chance von bis zu {a} %.",
    ),
    (
        "Knowing the values of other rows changes nothing about it; what many rows say together is the attack naive-bayes.",
        "Die Werte anderer Zeilen zu kennen ändert daran nichts; was viele Zeilen zusammen sagen, zeigt der Angriff naive-bayes.",
    ),
    (
        "Who knows a row's quasi-identifiers, and that it is in the table, finds it with a chance of at most 1 in {a}, on average of {b}%.",
        "Wer die Quasi-Identifikatoren einer Zeile kennt und weiß, dass sie in der Tabelle ist, findet sie mit einer Chance von höchstens 1 zu {a}, im Mittel von {b} %.",
    ),
    (
        "What is found is the piece with the sensitive value, in the row's bucket.",
        "Gefunden wird das Stück mit dem sensiblen Wert, im Korb der Zeile.",
    ),
    (
        "The quasi-identifiers are published as they are: a row is looked up, not guessed.",
        "Die Quasi-Identifikatoren sind veröffentlicht, wie sie sind: Eine Zeile wird nachgeschlagen, nicht erraten.",
    ),
    (
        "Of a row of the population it can be told with a chance of up to {a}% that it is in the release; without it, of {b}%.",
        "Von einer Zeile der Bevölkerung lässt sich mit einer Chance von bis zu {a} % sagen, dass sie in der Freigabe ist; ohne diese von {b} %.",
    ),
    (
        "No membership protection: the quasi-identifiers are published as they are, so that presence is looked up.",
        "Kein Schutz der Zugehörigkeit: Die Quasi-Identifikatoren sind veröffentlicht, wie sie sind, also lässt sich nachschlagen, wer dabei ist.",
    ),
    (
        "No membership protection: the pieces form no tuples but the rows themselves, so that presence is looked up.",
        "Kein Schutz der Zugehörigkeit: Die Stücke ergeben nur die Zeilen selbst, also lässt sich nachschlagen, wer dabei ist.",
    ),
    ("No published value has a share below 1% in the whole table.", "Kein veröffentlichter Wert hat in der ganzen Tabelle einen Anteil unter 1 %."),
    (
        "{a} values have a share below 1%; in a class one becomes up to {b} times likelier.",
        "{a} Werte haben einen Anteil unter 1 %; in einer Klasse wird einer bis zu {b}-mal so wahrscheinlich.",
    ),
    (
        "1 value has a share below 1%; in a class one becomes up to {b} times likelier.",
        "Ein Wert hat einen Anteil unter 1 %; in einer Klasse wird er bis zu {b}-mal so wahrscheinlich.",
    ),
    (
        "Similar values together become up to {a} times likelier in a class than in the whole table.",
        "Ähnliche Werte zusammen werden in einer Klasse bis zu {a}-mal so wahrscheinlich wie in der ganzen Tabelle.",
    ),
    # why an attack does not apply
    ("the release has no rows", "die Freigabe hat keine Zeilen"),
    ("the original has no rows", "die Urtabelle hat keine Zeilen"),
    ("it needs {a}", "er braucht {a}"),
    (
        "it tries every assignment of the sensitive values to the rows, which takes tiny tables: this one has {a}, and {b} are the most; docs/design/minimality.md says what is found on tiny ones",
        "er probiert jede Zuordnung der sensiblen Werte zu den Zeilen, was nur bei winzigen Tabellen geht: Diese hat {a}, höchstens {b} sind möglich",
    ),
    (
        "the values have neither a hierarchy with more levels than one nor an order that says which are similar",
        "die Werte haben weder eine Hierarchie mit mehr als einer Ebene noch eine Ordnung, die sagt, welche ähnlich sind",
    ),
    ("every set of similar values is all or nothing of the table", "jede Menge ähnlicher Werte ist alles oder nichts von der Tabelle"),
    (
        "the columns have so many different values that a classifier would have to learn {a} weights; this version stops at {b}",
        "die Spalten haben so viele Werte, dass {a} Gewichte zu lernen wären; diese Version hört bei {b} auf",
    ),
    # to be considered
    (
        'column "{a}" looks like the key of persons, households or firms, each with {b} rows on average: promises count rows, and the k rows of a class may all be one person\'s; give it the role entity, so that they hold over persons, too',
        'die Spalte "{a}" sieht aus wie der Schlüssel von Personen, Haushalten oder Firmen mit im Mittel je {b} Zeilen: Zusagen zählen Zeilen, und die k Zeilen einer Klasse könnten alle einer Person gehören; mit der Rolle Einheit (entity) gelten sie auch für Personen',
    ),
    (
        'the sensitive attribute "{a}" has one value only: whatever is published, everybody has it',
        'die sensible Spalte "{a}" hat nur einen Wert: Was auch veröffentlicht wird, alle haben ihn',
    ),
    (
        'the sensitive attribute "{a}" has {b} different values in {c} rows: models that count values take neighbours, such as 49,999 and 50,000, for different ones',
        'die sensible Spalte "{a}" hat {b} verschiedene Werte in {c} Zeilen: Modelle, die Werte zählen, halten Nachbarn wie 49.999 und 50.000 für verschieden',
    ),
    (
        'no promise is about the sensitive attribute "{a}": all rows of a class may share one value of it, which tells it of everybody there',
        'keine Zusage handelt von der sensiblen Spalte "{a}": Alle Zeilen einer Klasse können denselben Wert haben, womit man ihn von allen dort weiß',
    ),
    (
        'column "{a}" is published as it is, and {b} of {c} rows have a value in it that no other row has: whoever knows it finds them; make it an identifier, which is dropped, or a quasi-identifier, which is generalized',
        'die Spalte "{a}" wird veröffentlicht, wie sie ist, und {b} von {c} Zeilen haben darin einen Wert, den keine andere hat: Wer ihn kennt, findet sie; machen Sie sie zum Identifikator, der wegfällt, oder zum Quasi-Identifikator, der vergröbert wird',
    ),
    (
        'the quasi-identifier "{a}" is a text without a hierarchy, and {b} of {c} rows have a value of their own in it: it is published in sets of exact values; give it a hierarchy (a file, or {mask: 5} for codes), or make it an identifier',
        'der Quasi-Identifikator "{a}" ist ein Text ohne Hierarchie, und {b} von {c} Zeilen haben darin einen eigenen Wert: Er wird in Mengen genauer Werte veröffentlicht; geben Sie ihm eine Hierarchie, oder machen Sie ihn zum Identifikator',
    ),
    (
        'attribute "{a}": `hierarchy` has no effect on a column that is dropped',
        'Spalte "{a}": die Hierarchie wirkt nicht, denn die Spalte fällt weg',
    ),
    (
        'attribute "{a}": `hierarchy` has no effect on a column that is published as it is',
        'Spalte "{a}": die Hierarchie wirkt nicht, denn die Spalte wird veröffentlicht, wie sie ist',
    ),
    # what cannot be done
    (
        '{z}column "{a}" would be published as it is, but {b} of {c} rows have a value in it that no other row has: whoever knows it finds them; make it an identifier, which is dropped, or a quasi-identifier, which is generalized, or say `unique: allowed` at the attribute',
        'die Spalte "{a}" würde veröffentlicht, wie sie ist, aber {b} von {c} Zeilen haben darin einen Wert, den keine andere hat: Wer ihn kennt, findet sie; machen Sie sie zum Identifikator, der wegfällt, oder zum Quasi-Identifikator, der vergröbert wird',
    ),
    (
        '{z}column "{a}": the sensitive value is missing; say input: {missing-sensitive: drop} to leave such rows out, or value to let it be a value of its own',
        '{z}Spalte "{a}": der sensible Wert fehlt; wählen Sie, ob solche Zeilen wegfallen oder „fehlend“ ein eigener Wert ist',
    ),
    (
        "{z}the policy has no quasi-identifier: give the attributes that others may know the role quasi-identifier, or name them with --quasi",
        "es gibt keinen Quasi-Identifikator: geben Sie den Spalten, die andere kennen können, im Schritt Tabelle diese Rolle",
    ),
    (
        "{z}the policy promises nothing: add a model under privacy, such as {model: k-anonymity, k: 5}, or a preset",
        "es ist nichts zugesagt: wählen Sie im Schritt Zusagen ein Modell wie k-anonymity oder verlangte Schwellen",
    ),
    (
        "{z}model {a} needs a sensitive attribute, and the policy has none: give one the role sensitive, or name it with --sensitive",
        "{a} braucht eine sensible Spalte, und es gibt keine: geben Sie einer im Schritt Tabelle diese Rolle",
    ),
    (
        '{z}model {a} is about a {d} attribute, but "{b}" is {c}',
        '{a} handelt nicht von solchen Spalten: "{b}" hat die Rolle {c}',
    ),
    ("every row would have to be suppressed: no release can keep the policy", "jede Zeile müsste wegfallen: Keine Freigabe kann die Zusagen halten"),
    (
        "no release can keep {a}: the whole table as one class reaches only {b}; relax it to that, or allow rows to be suppressed (suppression limit, now at most {c} rows)",
        "keine Freigabe kann {a} halten: Die ganze Tabelle als eine Klasse erreicht nur {b}; lockern Sie die Zusage so weit, oder lassen Sie Zeilen wegfallen (jetzt höchstens {c})",
    ),
    ("no partitioning keeps the promises with the rows that may stay: relax them", "keine Einteilung hält die Zusagen mit den Zeilen, die bleiben dürfen: lockern Sie sie"),
    (
        'anatomy cannot make groups with l = {a}: the most frequent value of column "{b}" is in {c} of {d} rows, so that l can be {e} at most; {f}',
        'anatomy kann mit l = {a} keine Gruppen bilden: Der häufigste Wert der Spalte "{b}" steht in {c} von {d} Zeilen, also kann l höchstens {e} sein',
    ),
    (
        "full-domain generalization cannot keep the policy when {a} of {b} rows may be suppressed, on any combination of levels; allow more suppression or use a method that cuts (mondrian, elastic, peel)",
        "full-domain kann die Zusagen auf keiner Verbindung von Ebenen halten, wenn {a} von {b} Zeilen wegfallen dürfen; lassen Sie mehr wegfallen, oder nehmen Sie ein Verfahren, das schneidet (mondrian, elastic, peel)",
    ),
    (
        "method {a} cannot keep this policy: {b}; methods that can keep it: {c}",
        "das Verfahren {a} kann diese Zusagen nicht halten; halten können sie: {c}",
    ),
    ("{a}: No such file or directory", "{a}: keine solche Datei und kein solcher Ordner"),
    ("{a}: no such file or directory", "{a}: keine solche Datei und kein solcher Ordner"),
    ("{a}: Permission denied", "{a}: kein Zugriff erlaubt"),
    ("{a}: Read-only file system", "{a}: das Dateisystem kann nur gelesen werden"),
    ("{a}: exists already", "{a}: gibt es schon"),
    ("{a}: the file is empty", "{a}: die Datei ist leer"),
    ("{a}: is no regular file", "{a}: ist keine gewöhnliche Datei"),
)

_HOLE = re.compile(r"\{([a-z])\}")
_DECIMAL = re.compile(r"\d+\.\d+\Z")


@cache
def _compiled() -> list[tuple[re.Pattern[str], str]]:
    found = []
    for english, german in PATTERNS:
        parts = _HOLE.split(english)
        text = "".join(re.escape(part) if at % 2 == 0 else f"(?P<{part}>.{'*?' if part == 'z' else '+?'})" for at, part in enumerate(parts))
        found.append((re.compile(text + r"\Z", re.DOTALL), german))
    return found


def _sentence(text: str) -> str:
    for pattern, german in _compiled():
        found = pattern.match(text)
        if found is not None:
            cells = {key: cell.replace(".", ",") if _DECIMAL.match(cell) else cell for key, cell in found.groupdict().items()}
            return _HOLE.sub(lambda hole: cells[hole[1]], german)
    return text


def in_german(text: str) -> str:
    """The whole text if it has a pattern, else what of its sentences has one."""
    whole = _sentence(text)
    if whole != text or ". " not in text:
        return whole
    return " ".join(_sentence(sentence) for sentence in re.split(r"(?<=\.) (?=[A-Z])", text))
