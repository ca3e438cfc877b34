"""Sentences of the library that a steward meets on the page: as it says them, in German, and in English where the page has other
words for the same: its own are about flags and keys of a policy.

{a}, {b} ... is something of the table; {V} and {W} are sentences that stand here, too; {a|row|rows} is the first where a is 1, else the second. The tests look for the words in the library's source.
What is not here is shown as the library says it.
"""

from __future__ import annotations

PATTERNS: tuple[tuple[str, ...], ...] = (
    # why a role is proposed
    ('its name says "{a}"', 'ihr Name sagt "{a}"'),
    ("the same in every row", "in jeder Zeile gleich"),
    ("nothing is in it", "sie ist leer"),
    ("no value occurs twice", "kein Wert kommt zweimal vor"),
    ("hardly a value occurs twice", "kaum ein Wert kommt zweimal vor"),
    ("a date: others may know when something happened", "ein Datum: andere wissen vielleicht, wann etwas geschah"),
    ("others may know it", "andere wissen es vielleicht"),
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
        "Who knows a row's quasi-identifiers, and that it is in the table, finds it for certain where nobody is like it, on average with a chance of {a}%.",
        "Wer die Quasi-Identifikatoren einer Zeile kennt und weiß, dass sie in der Tabelle ist, findet sie mit Sicherheit, wo niemand so ist wie sie, im Mittel mit einer Chance von {a} %.",
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
        "Of a person of the population it can be told with a chance of up to {a}% that it is in the release; without it, of {b}%.",
        "Von einer Person der Bevölkerung lässt sich mit einer Chance von bis zu {a} % sagen, dass sie in der Freigabe ist; ohne diese von {b} %.",
    ),
    (
        "Of the persons of a class up to {a} times as many have a value, in one row at least, as of all.",
        "Von den Personen einer Klasse haben bis zu {a}-mal so viele einen Wert, in mindestens einer Zeile, wie von allen.",
    ),
    (
        "Of the persons of a class up to {a}% have a value in one row at least; {b} {b|person has|persons have} more rows than there are without a value, which is certain then.",
        "Von den Personen einer Klasse haben bis zu {a} % einen Wert in mindestens einer Zeile; {b} {b|Person hat|Personen haben} mehr Zeilen, als es ohne einen Wert gibt: Dann steht er fest.",
    ),
    (
        "Who knows the values of one other person of a class takes a person to have a value with a chance of up to {a}%.",
        "Wer die Werte einer anderen Person der Klasse kennt, hält einen Wert bei einer Person mit einer Chance von bis zu {a} % für vorhanden.",
    ),
    (
        "Who knows the quasi-identifiers of all rows of a person, and that it is in the table, takes a row of its class for one of its rows with a chance of at most {a}%, and picks it out of those of its class with one of {b}% on average; {c} {c|person stands|persons stand} together at least, as the publisher states.",
        "Wer die Quasi-Identifikatoren aller Zeilen einer Person kennt und weiß, dass sie in der Tabelle ist, hält eine Zeile ihrer Klasse mit einer Chance von höchstens {a} % zu Recht für eine der ihren und findet sie unter denen ihrer Klasse im Mittel mit einer von {b} %; mindestens {c} {c|Person steht|Personen stehen} beisammen, wie der Herausgeber angibt.",
    ),
    (
        "Who knows the quasi-identifiers of all rows of a household, and that it is in the table, takes a row of its class for one of its rows with a chance of at most {a}%, and picks it out of those of its class with one of {b}% on average; {c} {c|household stands|households stand} together at least, as the publisher states.",
        "Wer die Quasi-Identifikatoren aller Zeilen eines Haushalts kennt und weiß, dass er in der Tabelle ist, hält eine Zeile seiner Klasse mit einer Chance von höchstens {a} % zu Recht für eine der seinen und findet ihn unter denen seiner Klasse im Mittel mit einer von {b} %; mindestens {c} {c|Haushalt steht|Haushalte stehen} beisammen, wie der Herausgeber angibt.",
    ),
    ("Rows were counted, of which a person may have several.", "Gezählt wurden Zeilen, von denen eine Person mehrere haben kann."),
    (
        "By their sampling weights the rows stand for about {a} people, and those that look alike for about {b} at least; who looks among these finds a row's person with a chance of up to {c}%, on average of {d}%.",
        "Nach ihren Gewichten stehen die Zeilen für etwa {a} Menschen, und solche, die gleich aussehen, für mindestens etwa {b}; wer unter diesen sucht, findet den Menschen zu einer Zeile mit einer Chance von bis zu {c} %, im Mittel von {d} %.",
    ),
    (
        "By their sampling weights the rows stand for about {a} people, and those that look alike for about {b} at least; who looks among these finds a person with a chance of up to {c}%, on average of {d}%.",
        "Nach ihren Gewichten stehen die Zeilen für etwa {a} Menschen, und solche, die gleich aussehen, für mindestens etwa {b}; wer unter diesen sucht, findet eine Person mit einer Chance von bis zu {c} %, im Mittel von {d} %.",
    ),
    ("That is an estimate, and no promise.", "Das ist eine Schätzung und keine Zusage."),
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
    (
        "m-invariance is about releases over time, which it has to know: name a private file that keeps them, outside the release (--ledger FILE; it is made with the first release)",
        "m-invariance handelt von Veröffentlichungen über die Zeit, die diese Seite nicht macht: nehmen Sie covey anonymize mit --ledger und --previous",
        "m-invariance is about releases over time, which this page does not make: use covey anonymize with --ledger and --previous",
    ),
    # to be considered
    (
        'column "{a}" looks like the key of persons, households or firms, each with {b} rows on average: promises count rows, and the k rows of a class may all be one person\'s; give it the role entity, so that they hold over persons, too',
        'die Spalte "{a}" sieht aus wie der Schlüssel von Personen, Haushalten oder Firmen mit im Mittel je {b} Zeilen: Zusagen zählen Zeilen, und die k Zeilen einer Klasse könnten alle einer Person gehören; mit der Rolle Einheit (entity) gelten sie auch für Personen',
    ),
    (
        'column "{a}" is read as text, not as numbers, because of {b} {c}, where a number has more than 18 digits: round the column, or declare `type: text`',
        'die Spalte "{a}" gilt als Text, nicht als Zahlen, denn in Zeile {c} hat eine Zahl mehr als 18 Ziffern: runden Sie die Spalte, wenn sie Zahlen haben soll',
        'column "{a}" is read as text, not as numbers, because of {b} {c}, where a number has more than 18 digits: round the column if it is to have numbers',
    ),
    (
        'column "{a}" is read as text, not as numbers, because of {b} {c}: correct the cell, add it to input.null, or declare `type: text`',
        'die Spalte "{a}" gilt als Text, nicht als Zahlen, wegen der Zeile {c}: berichtigen Sie die Zelle, wenn die Spalte Zahlen haben soll',
        'column "{a}" is read as text, not as numbers, because of {b} {c}: correct the cell if the column is to have numbers',
    ),
    (
        'column "{a}" is read as text, not as numbers, because of {b} of its different values, one of them in {c} {d}: correct these cells, add them to input.null, or declare `type: text`',
        'die Spalte "{a}" gilt als Text, nicht als Zahlen, wegen {b} ihrer verschiedenen Werte, einer davon in Zeile {d}: berichtigen Sie diese Zellen, wenn die Spalte Zahlen haben soll',
        'column "{a}" is read as text, not as numbers, because of {b} of its different values, one of them in {c} {d}: correct these cells if the column is to have numbers',
    ),
    (
        "few of the {a} units with several rows have several values of {b}: where one cannot change, correct it",
        "wenige der {a} Personen, Haushalte oder Firmen mit mehreren Zeilen haben verschiedene Werte in {b}: Wo sich ein Wert nicht ändern kann, berichtigen Sie ihn",
        "few of the {a} persons, households or firms with several rows have different values of {b}: where a value cannot change, correct it",
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
        'die Spalte "{a}" wird veröffentlicht, wie sie ist, und {b} von {c} Zeilen {b|hat|haben} darin einen Wert, den keine andere hat: Wer ihn kennt, findet sie; machen Sie sie zum Identifikator, der wegfällt, oder zum Quasi-Identifikator, der vergröbert wird',
    ),
    (
        'the quasi-identifier "{a}" is a text without a hierarchy, and {b} of {c} rows have a value of their own in it: it is published in sets of exact values; give it a hierarchy (a file, or {mask: 5} for codes), or make it an identifier',
        'der Quasi-Identifikator "{a}" ist ein Text ohne Hierarchie, und {b} von {c} Zeilen {b|hat|haben} darin einen eigenen Wert: Er wird in Mengen genauer Werte veröffentlicht; geben Sie ihm eine Hierarchie, oder machen Sie ihn zum Identifikator',
    ),
    (
        'attribute "{a}": `hierarchy` has no effect on a column that is dropped',
        'Spalte "{a}": die Hierarchie wirkt nicht, denn die Spalte fällt weg',
    ),
    (
        'attribute "{a}": `hierarchy` has no effect on a column that is published as it is',
        'Spalte "{a}": die Hierarchie wirkt nicht, denn die Spalte wird veröffentlicht, wie sie ist',
    ),
    ("{a} rules nothing out with {b}: every single row would keep it", "{a} schließt mit {b} nichts aus: Jede einzelne Zeile würde es halten"),
    (
        "optimal-partition: no optimum is proven after a minute, and it may take very long; time-limit ends the search after so many seconds, with the best so far and a bound on what is possible",
        "optimal-partition: Nach einer Minute ist kein Optimum bewiesen, und das kann sehr lange dauern; time-limit beendet die Suche nach so vielen Sekunden mit dem Besten bis dahin und einer Schranke dafür, was möglich ist",
    ),
    (
        "no row was suppressed, though the limit allows it: {a} suppresses rows only where {W}",
        "der Anteil, der wegfallen darf, blieb ungenutzt: {a} lässt Zeilen nur weg, wo {W}",
        "no row had to be dropped: {a} drops rows only where {W}",
    ),
    ("the promises cannot be kept without", "sich die Zusagen anders nicht halten lassen"),
    (
        "the promises cannot be kept without, because a promise that compares with the whole table holds for suppressed rows, too: publishing them as one class never loses more",
        "sich die Zusagen anders nicht halten lassen, denn eine Zusage, die mit der ganzen Tabelle vergleicht, gilt auch für weggelassene Zeilen: Sie als eine Klasse zu veröffentlichen verliert nie mehr",
    ),
    (
        'column "{a}": {b} begin{b|s|} like a formula (= + - @): a spreadsheet that opens {c} runs such cells; `covey export --to csv:FOLDER --safe-cells` makes them texts',
        'Spalte "{a}": Namen oder Werte beginnen wie eine Formel (= + - @), die eine Tabellenkalkulation beim Öffnen ausführt; `covey export --to csv:ORDNER --safe-cells` macht Texte daraus',
        'column "{a}": names or values begin like a formula (= + - @), which a spreadsheet that opens {c} runs; `covey export --to csv:FOLDER --safe-cells` makes texts of them',
    ),
    ("preset {a}: {W}", "Vorgabe {a}: {W}"),
    (
        'the hierarchy of "{a}" lists "{b}", which `null` names as missing: such cells are "null", under the root; call the leaf null, or take "{c}" out of `null`',
        'die Hierarchie von "{a}" nennt "{b}", was hier „fehlend“ bedeutet: Solche Zellen heißen "null" und stehen unter der Wurzel',
        'the hierarchy of "{a}" lists "{b}", which means that a value is missing: such cells are called "null", and stand under the root',
    ),
    (
        'the hierarchy of "{a}" does nothing: no promise asks how far its values are from each other',
        'die Hierarchie von "{a}" wirkt nicht: Keine Zusage fragt, wie weit ihre Werte auseinanderliegen',
    ),
    # what is wrong with a release
    (
        "{a}: its SHA-256 is not the one in manifest.json: the file was changed after it was published",
        "{a}: die SHA-256-Summe ist nicht die in manifest.json: Die Datei wurde nach der Veröffentlichung verändert",
    ),
    ("class {a} breaks {b}: it reaches only {c}", "Klasse {a} verletzt {b}: Sie erreicht nur {c}"),
    ("group {a} breaks {b}: it reaches only {c}", "Gruppe {a} verletzt {b}: Sie erreicht nur {c}"),
    (
        "the original has {a} {a|row|rows}, the release was made of {b}",
        "die Urtabelle hat {a} {a|Zeile|Zeilen}, die Freigabe wurde aus {b} gemacht",
    ),
    ("class {a}: for {b} of its rows there is no row of the original left", "Klasse {a}: für {b} ihrer Zeilen gibt es in der Urtabelle keine"),
    (
        'class {a}, column "{b}": the cell fits no row of the original that {c} of the class\'s rows could be',
        'Klasse {a}, Spalte "{b}": die Zelle passt zu keiner Zeile der Urtabelle, die {c} Zeilen der Klasse sein könnten',
    ),
    # questions
    ('the release has no column "{a}"; did you mean "{b}"?', 'die Freigabe hat keine Spalte "{a}"; meinten Sie "{b}"?'),
    ('the release has no column "{a}"', 'die Freigabe hat keine Spalte "{a}"'),
    # what a policy lacks
    (
        'column "{a}" would be published as it is, but {b} of {c} rows have a value in it that no other row has: whoever knows it finds them; make it an identifier, which is dropped, or a quasi-identifier, which is generalized, or say `unique: allowed` at the attribute',
        'die Spalte "{a}" würde veröffentlicht, wie sie ist, aber {b} von {c} Zeilen {b|hat|haben} darin einen Wert, den keine andere hat: Wer ihn kennt, findet sie; machen Sie sie zum Identifikator, der wegfällt, oder zum Quasi-Identifikator, der vergröbert wird',
        'column "{a}" would be published as it is, but {b} of {c} rows have a value in it that no other row has: whoever knows it finds them; make it an identifier, which is dropped, or a quasi-identifier, which is generalized',
    ),
    (
        'column "{a}": the sensitive value is missing; say input: {missing-sensitive: drop} to leave such rows out, or value to let it be a value of its own',
        'die sensible Spalte "{a}" hat hier keinen Wert: wählen Sie, was mit solchen Zeilen geschieht',
        'the sensitive column "{a}" has no value there: choose what becomes of such rows',
    ),
    (
        'column "{a}": the quasi-identifier\'s value is missing; say input: {missing-quasi: drop} to leave such rows out, or value to let it be a value of its own',
        'der Quasi-Identifikator "{a}" hat hier keinen Wert: wählen Sie, was mit solchen Zeilen geschieht',
        'the quasi-identifier "{a}" has no value there: choose what becomes of such rows',
    ),
    (
        '{a}: column "{b}" has missing values, which have no place in the order that {c} needs: drop them with input: {missing-sensitive: drop}, or {d}',
        '{a}: Fehlende Werte der Spalte "{b}" haben keinen Platz in der Ordnung, die dafür nötig ist: lassen Sie solche Zeilen weg',
        '{a}: missing values of column "{b}" have no place in the order that {c} needs: leave such rows out, or {d}',
    ),
    (
        'ke-permutation: a missing "{a}" is no number, and a group could not hide it; say missing-sensitive: drop',
        'ke-permutation: Ein fehlender Wert von "{a}" ist keine Zahl, und keine Gruppe könnte ihn verbergen: lassen Sie solche Zeilen weg',
        'ke-permutation: a missing "{a}" is no number, and a group could not hide it: leave such rows out',
    ),
    (
        'distribution: a missing "{a}" lies in no interval; say missing-sensitive: drop',
        'distribution: Ein fehlender Wert von "{a}" liegt in keinem Intervall: lassen Sie solche Zeilen weg',
        'distribution: a missing "{a}" lies in no interval: leave such rows out',
    ),
    (
        "the policy has no quasi-identifier: give the attributes that others may know the role quasi-identifier, or name them with --quasi",
        "es gibt keinen Quasi-Identifikator: geben Sie den Spalten, die andere kennen können, im Schritt Tabelle diese Rolle",
        "there is no quasi-identifier: on the screen Table, give this role to the columns that others may know",
    ),
    (
        "the policy promises nothing: add a model under privacy, such as {model: k-anonymity, k: 5}, or a preset",
        "es ist nichts zugesagt: wählen Sie im Schritt Zusagen ein Modell wie k-anonymity oder verlangte Schwellen",
        "nothing is promised: on the screen Promises, choose a model such as k-anonymity, or thresholds that are asked for",
    ),
    (
        "model {a} needs a sensitive attribute, and the policy has none: give one the role sensitive, or name it with --sensitive",
        "{a} braucht eine sensible Spalte, und es gibt keine: geben Sie einer im Schritt Tabelle diese Rolle",
        "{a} needs a sensitive column, and there is none: give one this role on the screen Table",
    ),
    (
        'model {a} is about a {d} attribute, but "{b}" is {c}',
        '{a} handelt nicht von solchen Spalten: "{b}" hat die Rolle {c}',
        '{a} is about a {d} column, but "{b}" is {c}',
    ),
    (
        'model {a} needs a number, but column "{b}" is {c}: choose another attribute or declare its type',
        '{a} braucht eine Zahl, aber die Spalte "{b}" ist keine: wählen Sie eine andere',
        '{a} needs a number, but column "{b}" is {c}: choose another column',
    ),
    ('model {a}: {b} must be {c}, not "{d}"', '{a}: {b} kann nicht "{d}" sein'),
    ("model {a}: {b} must be {c}, not {d}", "{a}: {b} kann nicht {d} sein"),
    (
        "p-sensitive-k-anonymity: p = {a} is greater than k = {b}: k rows hold at most k values; give p at most k",
        "p-sensitive-k-anonymity: p = {a} ist größer als k = {b}: k Zeilen haben höchstens k Werte",
    ),
    (
        'the suppression limit must be a share of the rows, from 0 to 1, not "{a}"',
        'der Anteil der Zeilen, die wegfallen dürfen, liegt zwischen 0 und 1 und ist nicht "{a}"',
        'the share of rows that may be dropped is from 0 to 1, not "{a}"',
    ),
    (
        'the suppression limit must be a number such as 2, 0.25 or 5/3, not "{a}"',
        'der Anteil der Zeilen, die wegfallen dürfen, ist eine Zahl wie 0.01 oder 1/50, nicht "{a}"',
        'the share of rows that may be dropped is a number such as 0.01 or 1/50, not "{a}"',
    ),
    # what no release can keep
    ("every row would have to be suppressed: no release can keep the policy", "jede Zeile müsste wegfallen: Keine Freigabe kann die Zusagen halten"),
    (
        "no release can keep {a}: the whole table as one class reaches only {b}; relax it to that, or allow rows to be suppressed (suppression limit, now at most {c} {c|row|rows})",
        "keine Freigabe kann {a} halten: Die ganze Tabelle als eine Klasse erreicht nur {b}; lockern Sie die Zusage so weit, oder lassen Sie Zeilen wegfallen (jetzt höchstens {c})",
        "no release can keep {a}: the whole table as one class reaches only {b}; relax it to that, or allow more rows to be dropped (now at most {c})",
    ),
    (
        "no release can keep ke-anonymity (infeasible-k): {a} has only {b} different {b|value|values} of \"{c}\": k can be {d} at most",
        'keine Freigabe kann ke-anonymity halten: Es gibt nur {b} {b|verschiedenen Wert|verschiedene Werte} von "{c}": k kann höchstens {d} sein',
        'no release can keep ke-anonymity: {a} has only {b} different {b|value|values} of "{c}": k can be {d} at most',
    ),
    (
        'no release can keep ke-anonymity (infeasible-e): the values of "{a}" in {b} span only {c}: e can be {d} at most',
        'keine Freigabe kann ke-anonymity halten: Die Werte von "{a}" liegen nur {c} auseinander: e kann höchstens {d} sein',
        'no release can keep ke-anonymity: the values of "{a}" in {b} span only {c}: e can be {d} at most',
    ),
    ("no release can keep {a}: {W}", "keine Freigabe kann {a} halten: {W}"),
    ("{V}; nor {a}: {W}", "{V}; auch nicht {a}: {W}"),
    ("there {a|is|are} only {a} {a|row|rows}: k can be {b} at most", "es gibt nur {a} {a|Zeile|Zeilen}: k kann höchstens {b} sein"),
    ("only {a} different sensitive {a|value occurs|values occur}: l can be {b} at most with this c", "nur {a} {a|sensibler Wert kommt|verschiedene sensible Werte kommen} vor: Mit diesem c kann l höchstens {b} sein"),
    (
        "only {a} different sensitive {a|value occurs|values occur}: l can be {b} at most, and then c must be greater than {c}",
        "nur {a} {a|sensibler Wert kommt|verschiedene sensible Werte kommen} vor: l kann höchstens {b} sein, und c muss dann größer sein als {c}",
    ),
    ("only {a} different sensitive {a|value occurs|values occur}: {l} can be {b} at most", "nur {a} {a|sensibler Wert kommt|verschiedene sensible Werte kommen} vor: {l} kann höchstens {b} sein"),
    ("only {a} different {a|number occurs|numbers occur}: k can be {b} at most", "nur {a} {a|Zahl kommt|verschiedene Zahlen kommen} vor: k kann höchstens {b} sein"),
    ("the numbers of the whole table span {a}: e can be {b} at most", "die Zahlen der ganzen Tabelle liegen {a} auseinander: e kann höchstens {b} sein"),
    ('the values of "{a}" span {b}: length can be {c} at most', 'die Werte von "{a}" liegen {b} auseinander: length kann höchstens {c} sein'),
    (
        "in the whole table the most frequent value has a share of {a}: l can be {b} at most unless rows are suppressed",
        "in der ganzen Tabelle hat der häufigste Wert einen Anteil von {a}: l kann höchstens {b} sein, solange keine Zeile wegfällt",
        "in the whole table the most frequent value has a share of {a}: l can be {b} at most unless rows are dropped",
    ),
    (
        "the whole table reaches an entropy of log {a} only: l can be {b} at most unless rows are suppressed",
        "die ganze Tabelle erreicht nur eine Entropie von log {a}: l kann höchstens {b} sein, solange keine Zeile wegfällt",
        "the whole table reaches an entropy of log {a} only: l can be {b} at most unless rows are dropped",
    ),
    (
        "in the whole table the most frequent value has {a} times the rows of the values from rank {b} on: c must be greater than {c} unless rows are suppressed",
        "in der ganzen Tabelle hat der häufigste Wert {a}-mal so viele Zeilen wie alle ab dem {b}-ten: c muss größer sein als {c}, solange keine Zeile wegfällt",
        "in the whole table the most frequent value has {a} times the rows of the values from rank {b} on: c must be greater than {c} unless rows are dropped",
    ),
    (
        '"{a}" has a share of {b} in the whole table: alpha must be at least {c} unless rows are suppressed',
        '"{a}" hat in der ganzen Tabelle einen Anteil von {b}: alpha muss mindestens {c} sein, solange keine Zeile wegfällt',
        '"{a}" has a share of {b} in the whole table: alpha must be at least {c} unless rows are dropped',
    ),
    ("no partitioning keeps the promises with the rows that may stay: relax them", "keine Einteilung hält die Zusagen mit den Zeilen, die bleiben dürfen: lockern Sie sie"),
    (
        'anatomy cannot make groups with l = {a}: the most frequent value of column "{b}" is in {c} of {d} {d|row|rows}, so that l can be {e} at most; {f}',
        'anatomy kann mit l = {a} keine Gruppen bilden: Der häufigste Wert der Spalte "{b}" steht in {c} von {d} {d|Zeile|Zeilen}, also kann l höchstens {e} sein',
    ),
    (
        "full-domain generalization {c} keep the policy when {a} of {b} {b|row|rows} may be suppressed, on any combination of levels; allow more suppression or use a method that cuts (mondrian, elastic, peel)",
        "full-domain kann die Zusagen auf keiner Verbindung von Ebenen halten, wenn {a} von {b} {b|Zeile|Zeilen} wegfallen dürfen; lassen Sie mehr wegfallen, oder nehmen Sie ein Verfahren, das schneidet (mondrian, elastic, peel)",
        "full-domain {c} keep the promises when {a} of {b} {b|row|rows} may be dropped, on any combination of levels; allow more to be dropped, or take a method that cuts (mondrian, elastic, peel)",
    ),
    (
        "no release was found that keeps the policy: with {a} {a|row|rows} of too frequent sensitive values taken out, {b} are left, and a class needs {c}; relax it; taking out other rows was not tried",
        "es wurde keine Freigabe gefunden, die die Zusagen hält: Ohne {a} {a|Zeile|Zeilen} mit zu häufigen sensiblen Werten {b|bleibt|bleiben} {b}, und eine Klasse braucht {c}; lockern Sie sie; andere Zeilen wegzulassen wurde nicht probiert",
    ),
    (
        "no release was found that keeps {a}: with {b} {b|row|rows} of too frequent sensitive values taken out, the others as one class reach {c}; relax it, or allow more rows to be suppressed (suppression limit, now at most {d} {d|row|rows}); taking out other rows was not tried",
        "es wurde keine Freigabe gefunden, die {a} hält: Ohne {b} {b|Zeile|Zeilen} mit zu häufigen sensiblen Werten erreichen die anderen als eine Klasse {c}; lockern Sie die Zusage, oder lassen Sie mehr Zeilen wegfallen (jetzt höchstens {d})",
        "no release was found that keeps {a}: with {b} {b|row|rows} of too frequent sensitive values taken out, the others as one class reach {c}; relax it, or allow more rows to be dropped (now at most {d}); taking out other rows was not tried",
    ),
    (
        "no release was found that keeps {a}: with {b} {b|row|rows} of too frequent sensitive values taken out, {W}; taking out other rows was not tried",
        "es wurde keine Freigabe gefunden, die {a} hält: Ohne {b} {b|Zeile|Zeilen} mit zu häufigen sensiblen Werten: {W}; andere Zeilen wegzulassen wurde nicht probiert",
    ),
    # what a method is not made for
    (
        "method {a} cannot keep this policy: {W}; methods that can keep it: {c}",
        "das Verfahren {a} kann diese Zusagen nicht halten: {W}. Halten können sie: {c}",
        "the method {a} cannot keep these promises: {W}. Methods that can: {c}",
    ),
    (
        "method {a} cannot keep this policy: {b}; methods that can keep it: {c}",
        "das Verfahren {a} kann diese Zusagen nicht halten; halten können sie: {c}",
        "the method {a} cannot keep these promises: {b}. Methods that can: {c}",
    ),
    ("no method that is built can keep this policy", "kein Verfahren kann diese Zusagen halten", "no method can keep these promises"),
    (
        "anatomy publishes quasi-identifiers exactly and keeps probabilistic and distinct l-diversity, not {a}",
        "es veröffentlicht Quasi-Identifikatoren, wie sie sind, und hält probabilistische und unterscheidbare l-diversity, nicht {a}",
    ),
    ("burel keeps basic and enhanced beta-likeness with k-anonymity, not {a}", "es hält basic und enhanced beta-likeness mit k-anonymity, nicht {a}"),
    (
        "burel needs a promise of beta-likeness: its classes follow from the bounds on sensitive values",
        "es braucht eine Zusage von beta-likeness: Seine Klassen folgen aus den Schranken der sensiblen Werte",
    ),
    (
        "sabre needs a promise of t-closeness: its classes follow from the distances of sensitive values",
        "es braucht eine Zusage von t-closeness: Seine Klassen folgen aus den Abständen der sensiblen Werte",
    ),
    ("sabre keeps t-closeness with k-anonymity, not {a}", "es hält t-closeness mit k-anonymity, nicht {a}"),
    (
        "distribution keeps p-private, and beside it l-, t- and beta-models of the target that is used, not {a}",
        "es hält p-private und daneben l-, t- und beta-Modelle der Zielverteilung, nicht {a}",
    ),
    ("ke-permutation keeps ke-anonymity alone, not {a}", "es hält allein ke-anonymity, nicht {a}"),
    (
        "perturbation publishes quasi-identifiers as they are and bounds what a row's sensitive value becomes known to be: it keeps basic and enhanced beta-likeness, not {a}",
        "es veröffentlicht Quasi-Identifikatoren, wie sie sind, und beschränkt, was vom sensiblen Wert einer Zeile bekannt wird: Es hält basic und enhanced beta-likeness, nicht {a}",
    ),
    ("slicing publishes values as they are and keeps sliced-l-diversity, not {a}", "es veröffentlicht Werte, wie sie sind, und hält sliced-l-diversity, nicht {a}"),
    # files
    ("{a}: is no release: manifest.json: No such file or directory", "{a}: ist keine Freigabe: darin ist keine manifest.json"),
    ('{a}: there is no such file; did you mean "{b}"?', '{a}: keine solche Datei; meinten Sie "{b}"?'),
    ("{a}: there is no such file, nor its folder", "{a}: keine solche Datei, und auch kein solcher Ordner"),
    ("{a}: there is no such file", "{a}: keine solche Datei"),
    ('column "{a}": the row has {b} {b|cell|cells} instead of {c}, this one is missing', 'Spalte "{a}": die Zeile hat {b} {b|Zelle|Zellen} statt {c}, diese fehlt'),
    (
        "the row has {a} cells instead of {b}; quote cells that contain the delimiter '{c}'",
        "die Zeile hat {a} Zellen statt {b}; setzen Sie Zellen, in denen das Trennzeichen '{c}' steht, in Anführungszeichen",
    ),
    (
        "the row has {a} cells, but the first line one, \"{b}\": is '{c}' what separates the cells? give the right one (--delimiter)",
        "die Zeile hat {a} Zellen, die erste aber eine, \"{b}\": trennt '{c}' die Zellen? Was sie trennt, kann eine Richtlinie sagen (input, delimiter)",
        "the row has {a} cells, but the first line one, \"{b}\": is '{c}' what separates the cells? A policy can say what does (input, delimiter)",
    ),
    ("a blank line, where a row of {a} {a|cell|cells} was expected; delete it", "eine leere Zeile, wo eine mit {a} {a|Zelle|Zellen} erwartet wurde; löschen Sie sie"),
    ("{a}: No such file or directory", "{a}: keine solche Datei und kein solcher Ordner"),
    ("{a}: no such file or directory", "{a}: keine solche Datei und kein solcher Ordner"),
    ("{a}: Permission denied", "{a}: kein Zugriff erlaubt"),
    ("{a}: Read-only file system", "{a}: das Dateisystem kann nur gelesen werden"),
    ("{a}: exists already", "{a}: gibt es schon"),
    ("{a}: the file is empty", "{a}: die Datei ist leer"),
    ("{a}: is no regular file", "{a}: ist keine gewöhnliche Datei"),
)
