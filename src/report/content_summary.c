/* The first screen of a report: may this go out?  The verdict, the three figures that matter beside each other, one
 * picture, and what the page is about. */
#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <covey/attack.h>

#include "report/facts.h"
#include "base/plural.h"
#include "report/page.h"

#define SAY COVEY_BLOCK_PARAGRAPH

/* --- attacks --- */

/* Their figure says how many times likelier a value becomes, not a share. */
static bool is_factor(const covey_attack_result *r)
{
    static const char *const names[] = {"skewness", "similarity", "rare-values"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(covey_attack_name(r->attack), names[i]) == 0)
            return true;
    return false;
}

/* Is there something promised that an attack on the same column has to keep to? */
static bool is_covered(const covey_facts *f, const covey_attack_result *r)
{
    for (size_t i = 0; i < f->attacks->n_results; i++) {
        const covey_attack_result *other = &f->attacks->result[i];

        if (strcmp(other->attribute, r->attribute) == 0 && !isnan(other->bound) && covey_i_facts_is_promised(other))
            return true;
    }
    return false;
}

/* Nobody promised anything about it, and it is next to certain about somebody. */
static bool is_danger(const covey_attack_result *r)
{
    return r && r->verdict == COVEY_ATTACK_INFORMATION && !is_factor(r) && r->figure > 0.9;
}

/* How far an attack gets, for its place among the others: what is above what was promised comes first, then what is
 * next to certain of a column that no promise bounds, then chances that come near what was promised, then what nothing
 * was promised about.  That something becomes so many times likelier says less than how likely it is. */
static double rank_of(const covey_facts *f, const covey_attack_result *r)
{
    if (!r->applies || isnan(r->figure) || strcmp(covey_attack_name(r->attack), "re-identification") == 0)
        return -1;
    if (!isnan(r->bound) && r->bound > 0)
        return (r->verdict == COVEY_ATTACK_EXCEEDS ? 1000 : is_factor(r) ? 10 : 200) + fmin(r->figure / r->bound, 100);
    return is_danger(r) && !is_covered(f, r) ? 500 + r->figure : is_factor(r) ? 0 : r->figure;
}

static const covey_attack_result *worst_attack(const covey_facts *f)
{
    const covey_attack_result *worst = NULL;

    for (size_t i = 0; f->attacks && i < f->attacks->n_results; i++) {
        const covey_attack_result *r = &f->attacks->result[i];

        if (rank_of(f, r) >= 0 && (!worst || rank_of(f, r) > rank_of(f, worst)))
            worst = r;
    }
    return worst;
}

static bool any_exceeds(const covey_facts *f)
{
    for (size_t i = 0; f->attacks && i < f->attacks->n_results; i++)
        if (f->attacks->result[i].applies && f->attacks->result[i].verdict == COVEY_ATTACK_EXCEEDS)
            return true;
    return false;
}

static const char *say_figure(char out[COVEY_COUNT_SIZE], const covey_attack_result *r, double value)
{
    char number[COVEY_COUNT_SIZE];

    if (!is_factor(r))
        return covey_i_facts_percent(out, value);
    if (value >= 1000 && value < 1e15)
        snprintf(out, COVEY_COUNT_SIZE, "%s times", covey_i_facts_digits(number, (int64_t)(value + 0.5)));
    else
        snprintf(out, COVEY_COUNT_SIZE, "%.3g times", value);
    return out;
}

/* --- the three figures --- */

/* A known seed undoes a shuffle, so that nothing else counts. */
static bool is_seeded(const covey_facts *f)
{
    return json_is_true(json_object_get(f->stated->root, "seeded"));
}

/* Nothing is green where the answer is no. */
static covey_tone good(const covey_facts *f)
{
    return f->verdict->holds && !is_seeded(f) ? COVEY_TONE_GOOD : COVEY_TONE_PLAIN;
}

/* Of a release whose identifying columns are exact; without attacks nobody has counted who is alone. */
static double chance_to_look_up(const covey_facts *f)
{
    for (size_t i = 0; f->attacks && i < f->attacks->n_results; i++) {
        const covey_attack_result *r = &f->attacks->result[i];

        if (r->applies && !isnan(r->figure) && strcmp(covey_attack_name(r->attack), "re-identification") == 0)
            return r->figure;
    }
    return 1;
}

static void tell_finding(covey_page *page, const covey_facts *f)
{
    static const char title[] = "Worst risk of being found";
    const int64_t smallest = f->who.smallest;
    const double found = f->is_exact      ? chance_to_look_up(f)
                         : f->who.is_unit ? f->who.largest_risk
                         : smallest > 0   ? 1.0 / (double)smallest
                                          : 1;
    const bool is_certain = found >= 1;
    char figure[COVEY_COUNT_SIZE], rows[COVEY_COUNT_SIZE];

    covey_i_facts_percent(figure, found);
    if (f->is_exact)
        covey_i_page_figure(page, is_certain ? COVEY_TONE_BAD : COVEY_TONE_WARN, title, is_certain ? "certain" : figure,
                            strcmp(f->stated->form, "sliced") == 0
                                ? "Values are published as they are, in pieces: whoever knows those of a row finds its "
                                  "bucket. What is hidden is which of the pieces there belong together."
                                : "Identifying columns are published as they are: whoever knows them finds the row. "
                                  "What is hidden is its sensitive value.");
    else if (f->who.is_unit)
        covey_i_page_figure(
            page,
            is_certain      ? COVEY_TONE_BAD
            : smallest < 11 ? COVEY_TONE_WARN
                            : good(f),
            title, is_certain ? "certain" : figure,
            is_certain ? "Some rows are one %s's, and nobody else's are like them: whoever knows the "
                         "identifying columns finds them for certain."
                       : "No %s has more than this share of the rows that look alike, and %s %s at least "
                         "have such rows: %s.",
            f->who.one, covey_i_facts_digits(rows, smallest), f->who.many,
            f->verdict->units_proven == 1 ? "that was proven from the original" : "so the publisher states it");
    else if (is_certain)
        covey_i_page_figure(page, COVEY_TONE_BAD, title, "certain",
                            "Some row has nobody like it: whoever knows its identifying columns finds it for certain.");
    else
        covey_i_page_figure(page, smallest < 11 ? COVEY_TONE_WARN : good(f), title, figure,
                            "Every row looks like %s other%s at least, to whoever knows all its identifying columns.",
                            covey_i_facts_digits(rows, smallest - 1), smallest == 2 ? "" : "s");
}

static void tell_attack(covey_page *page, const covey_facts *f)
{
    const covey_attack_result *r = worst_attack(f);
    const char *of = r && r->attribute[0] ? " of " : "";
    char figure[COVEY_COUNT_SIZE], allowed[COVEY_COUNT_SIZE], before[COVEY_COUNT_SIZE];

    if (!r) {
        covey_i_page_figure(page, COVEY_TONE_PLAIN, "Worst attack", "none tried",
                            f->attacks ? "The attacks that apply need the original table: covey report --original."
                                       : "Attacks are tried on releases that pass their check.");
        return;
    }
    say_figure(figure, r, r->figure);
    if (isnan(r->bound))
        covey_i_page_figure(page, is_danger(r) ? COVEY_TONE_WARN : COVEY_TONE_PLAIN, "Worst attack", figure,
                            "%s%s%s: nothing was promised about it%s%s.", covey_attack_name(r->attack), of,
                            r->attribute, isnan(r->prior) || is_factor(r) ? "" : "; without the release ",
                            isnan(r->prior) || is_factor(r) ? "" : covey_i_facts_percent(before, r->prior));
    else
        covey_i_page_figure(page, r->verdict == COVEY_ATTACK_EXCEEDS ? COVEY_TONE_BAD : good(f), "Worst attack", figure,
                            "%s%s%s: %s %s.", covey_attack_name(r->attack), of, r->attribute,
                            !covey_i_facts_is_promised(r)        ? "counts as a danger above"
                            : r->verdict == COVEY_ATTACK_EXCEEDS ? "the promise allows no more than"
                                                                 : "the promise allows up to",
                            say_figure(allowed, r, r->bound));
}

static void tell_loss(covey_page *page, const covey_facts *f)
{
    const double ail = f->verdict->figures.ail;
    char figure[COVEY_COUNT_SIZE];

    if (f->n_shown > 0)
        covey_i_page_figure(page, COVEY_TONE_PLAIN, "Detail lost", covey_i_facts_percent(figure, 1 - f->true_share),
                            "of the sensitive values, about, are shown as others; identifying columns are as they "
                            "were.");
    else if (f->is_exact)
        covey_i_page_figure(page, COVEY_TONE_PLAIN, "Detail lost", covey_i_facts_percent(figure, 0),
                            "in identifying columns; what is lost is which sensitive value belongs to which row.");
    else if (isfinite(ail))
        covey_i_page_figure(page, COVEY_TONE_PLAIN, "Detail lost", covey_i_facts_percent(figure, ail),
                            "of the identifying columns: 0 %% is the original, 100 %% says nothing any more.");
    else
        covey_i_page_figure(page, COVEY_TONE_PLAIN, "Detail lost", "not known",
                            "The release does not say enough of its hierarchies to compute it.");
}

/* --- the rest --- */

static const char *in_the_original(const covey_facts *f)
{
    if (f->verdict->faithful != 1)
        return "";
    return strcmp(f->stated->form, "perturbed") == 0
               ? ", and the original table could have led to it: all rows are there, with sensitive values that may "
                 "have been replaced"
           : f->is_exact ? ", and every published value was found in the original table"
           : f->stated->n_counterfeits > 0
               ? ", and every published row describes a row of the original table, one to one, or is made up"
               : ", and every published row describes a row of the original table, one to one";
}

/* Over units only the original can prove it. */
static const char *what_is_kept(const covey_facts *f)
{
    return f->verdict->units_proven < 0 ? "The release keeps what it promises, as was proven again from its files"
           : f->verdict->units_proven
               ? "The release keeps what it promises over rows and over persons, households or firms, as was proven "
                 "again from its files and the original"
               : "The release keeps what it promises over rows, as was proven again from its files, and over persons, "
                 "households or firms as the publisher states it";
}

static void tell_verdict(covey_page *page, const covey_facts *f)
{
    const char *kept = what_is_kept(f);

    if (!f->verdict->holds)
        covey_i_page_verdict(page, COVEY_TONE_BAD, "No: do not publish this release.",
                             "It does not keep what it promises, or its files were changed; the section on promises "
                             "says what was found.");
    else if (is_seeded(f))
        covey_i_page_verdict(page, COVEY_TONE_BAD, "No: make it again without a seed.",
                             "The release was made with a fixed seed, for tests: whoever knows the seed can undo a "
                             "shuffle. Apart from that it keeps what it promises%s.",
                             in_the_original(f));
    else if (any_exceeds(f))
        covey_i_page_verdict(page, COVEY_TONE_WARN, "Not without a second look.",
                             "%s%s; but an attack finds out more than it should.", kept, in_the_original(f));
    else if (f->is_exact || f->who.smallest <= 1)
        covey_i_page_verdict(page, COVEY_TONE_WARN,
                             "Yes, if everybody may know who is in the table, and the promises are the right ones.",
                             "%s%s.", kept, in_the_original(f));
    else if (is_danger(worst_attack(f)))
        covey_i_page_verdict(page, COVEY_TONE_WARN, "Yes, if the promises are the right ones.",
                             "%s%s; but an attack that no promise is about is next to certain of somebody's "
                             "sensitive value.",
                             kept, in_the_original(f));
    else
        covey_i_page_verdict(page, COVEY_TONE_GOOD, "Yes, if the promises are the right ones.",
                             "%s%s; no attack that was tried found more than they allow.", kept, in_the_original(f));
}

static void add_bar(covey_page *page, covey_page_bar *bar, const char *label, double share)
{
    char percent[COVEY_COUNT_SIZE];

    bar->share = share;
    bar->label = covey_arena_strdup(page->arena, label);
    bar->value = covey_arena_strdup(page->arena, covey_i_facts_percent(percent, share));
    page->broken |= !bar->label || !bar->value;
}

static void tell_picture(covey_page *page, const covey_facts *f)
{
    covey_page_bar bar[COVEY_PAGE_MOST_BARS];
    char from[COVEY_COUNT_SIZE], to[COVEY_COUNT_SIZE], label[2 * COVEY_COUNT_SIZE + 8];
    size_t n = 0;

    for (; n < f->who.spread->n && n < COVEY_PAGE_MOST_BARS; n++) {
        const covey_fact_sizes *s = &f->who.spread->sizes[n];

        snprintf(label, sizeof label, s->from == s->to ? "%s" : "%s to %s", covey_i_facts_digits(from, s->from),
                 covey_i_facts_digits(to, s->to));
        add_bar(page, &bar[n], label, f->opened->n_rows > 0 ? (double)s->n_rows / (double)f->opened->n_rows : 0);
    }
    if (n > 0) {
        covey_i_page_bars(page, bar, n, "Share of the rows, by how many %s stand together in a %s", f->who.many,
                          f->unit);
        return;
    }
    for (; n < f->n_shown && n < COVEY_PAGE_MOST_BARS; n++)
        add_bar(page, &bar[n], f->shown[n].label, f->shown[n].is_true);
    if (n > 0)
        covey_i_page_bars(page, bar, n, "%shance that a sensitive value that a row shows is its true one",
                          n < f->n_shown ? "Where it is largest, the c" : "C");
}

/* Which columns of a sliced release stay together. */
static void tell_slices(covey_page *page, const covey_facts *f)
{
    covey_text text = COVEY_TEXT_INIT;

    if (!covey_i_facts_slices(&text, f->stated->root)) {
        covey_i_text_free(&text);
        return;
    }
    page->broken |= text.broken;
    if (!text.broken)
        covey_i_page_add(page, SAY, "Columns that stay together row by row: %s.", text.bytes);
    covey_i_text_free(&text);
}

/* Columns that are there and say nothing. */
static void tell_suppressed(covey_page *page, const covey_facts *f)
{
    covey_text names = COVEY_TEXT_INIT;

    for (size_t c = 0; c < f->stated->n_columns; c++)
        if (covey_i_facts_loss(f, c) >= 1)
            covey_i_text_add_format(&names, "%s%s", names.size ? ", " : "", f->stated->column[c].name);
    page->broken |= names.broken;
    if (names.size && !names.broken)
        covey_i_page_add(page, SAY, "Suppressed columns, which are the same for all rows: %s.", names.bytes);
    covey_i_text_free(&names);
}

/* Only the original knows what they were. */
static void tell_dropped(covey_page *page, const covey_facts *f)
{
    const char *rows = f->stated->has_units ? ""
                       : f->stated->has_counterfeits
                           ? "Each row is another person's, or made up: so the publisher states it. "
                           : "Rows were counted, not people: several rows of one person count as several. ";
    const covey_text *names = f->own_original ? &f->own_original->left_out : NULL;

    page->broken |= names && names->broken;
    if (!names)
        covey_i_page_add(page, SAY,
                         "%sColumns that the policy dropped are not in the release, and nothing says what they were.",
                         rows);
    else
        covey_i_page_add(page, SAY, "%sColumns of the original that were dropped: %s.", rows,
                         names->size > 0 && !names->broken ? names->bytes : "none");
    if (f->idle_entity)
        covey_i_page_add(page, SAY,
                         "That %s names persons adds nothing here: none of them has two rows. Which row is whose the "
                         "ledger tells (--releases-ledger FILE), which proves that, too.",
                         f->idle_entity);
}

static void tell_about(covey_page *page, const covey_facts *f)
{
    char rows[COVEY_COUNT_SIZE], published[COVEY_COUNT_SIZE], suppressed[COVEY_COUNT_SIZE], dropped[COVEY_COUNT_SIZE];
    char made_up[COVEY_COUNT_SIZE];

    covey_i_page_add(page, SAY, "%s of %s rows are published%s%s%s%s%s. %s",
                     covey_i_facts_digits(published, f->stated->n_published - f->stated->n_counterfeits),
                     covey_i_facts_digits(rows, f->stated->n_rows),
                     f->stated->n_suppressed > 0 ? "; suppressed, to protect those whom they are about: " : "",
                     f->stated->n_suppressed > 0 ? covey_i_facts_digits(suppressed, f->stated->n_suppressed) : "",
                     f->stated->n_dropped > 0 ? "; dropped before, because a value was missing: " : "",
                     f->stated->n_dropped > 0 ? covey_i_facts_digits(dropped, f->stated->n_dropped) : "", "",
                     covey_i_facts_form(f->stated->form));
    if (f->stated->n_counterfeits > 0)
        covey_i_page_add(page, SAY,
                         "%s row%s more %s made up, so that everybody stands among the same values as in earlier "
                         "releases. counterfeits.csv says how many each class has; which they are is not published.",
                         covey_i_facts_digits(made_up, f->stated->n_counterfeits),
                         covey_i_plural(f->stated->n_counterfeits), f->stated->n_counterfeits == 1 ? "is" : "are");
    tell_slices(page, f);
    tell_suppressed(page, f);
    if (f->stated->has_units)
        covey_i_page_add(
            page, SAY,
            "The rows belong to %s persons, households or firms, and all rows of one stand together. That the "
            "promises hold over these as well as over rows %s",
            covey_i_facts_digits(rows, f->stated->n_units), covey_i_facts_of_units(f));
    tell_dropped(page, f);
}

void covey_i_facts_tell_summary(covey_page *page, const covey_facts *f)
{
    covey_i_page_add(page, COVEY_BLOCK_SECTION, "May this go out?");
    if (f->is_unread) {
        covey_i_page_verdict(page, COVEY_TONE_BAD, "No: do not publish this release.",
                             "Its files were changed after it was made, so that they are no longer a release that can "
                             "be read; nothing was measured, and nothing that it promised is proven. Make it again, or "
                             "take the files as they were.");
        return;
    }
    tell_verdict(page, f);
    tell_finding(page, f);
    tell_attack(page, f);
    tell_loss(page, f);
    tell_picture(page, f);
    tell_about(page, f);
}
