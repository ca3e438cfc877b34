/* What was tried with a release, in words: attacks on it, and questions that were asked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <covey/attack.h>

#include "report/facts.h"
#include "report/page.h"

#define SECTION COVEY_BLOCK_SECTION
#define SAY COVEY_BLOCK_PARAGRAPH

/* --- attacks --- */

/* The limits of some attacks are those of the literature: nothing was promised about them. */
bool covey_i_facts_is_promised(const covey_attack_result *r)
{
    return strcmp(covey_attack_name(r->attack), "naive-bayes") != 0 &&
           strcmp(covey_attack_name(r->attack), "definetti") != 0;
}

static const char *verdict_words(const covey_attack_result *r)
{
    switch (r->verdict) {
    case COVEY_ATTACK_SAFE:
        return covey_i_facts_is_promised(r) ? "within what was promised" : "below the level that counts as a danger";
    case COVEY_ATTACK_EXCEEDS:
        return covey_i_facts_is_promised(r) ? "ABOVE what was promised"
                                            : "ABOVE the level that counts as a danger; nothing was promised about it";
    case COVEY_ATTACK_INFORMATION:
        if (!isnan(r->bound))
            return "not above the level that counts as a danger";
        break;
    }
    return "nothing was promised about it";
}

static int64_t detail_of(const covey_attack_result *r, const char *name, int64_t otherwise)
{
    for (size_t i = 0; i < r->n_details; i++)
        if (strcmp(r->detail[i].name, name) == 0 &&
            (r->detail[i].value.kind == COVEY_ATTACK_INTEGER || r->detail[i].value.kind == COVEY_ATTACK_YES_NO))
            return r->detail[i].value.integer;
    return otherwise;
}

/* What a figure rests on, where that is not all there is. */
static void say_sample(char *out, size_t size, const covey_facts *f, const covey_attack_result *r)
{
    const int64_t rows = detail_of(r, "sampled_rows", f->opened->n_rows),
                  unknown = detail_of(r, "classes_not_known", 0);
    char part[COVEY_COUNT_SIZE], all[COVEY_COUNT_SIZE], left[COVEY_COUNT_SIZE];
    size_t used = 0;

    out[0] = '\0';
    if (rows < f->opened->n_rows)
        used = (size_t)snprintf(out, size, " Looked at: %s of %s rows%s.", covey_i_facts_digits(part, rows),
                                covey_i_facts_digits(all, f->opened->n_rows),
                                detail_of(r, "is_sample", false) ? ", whole ones drawn at random" : "");
    else if (!detail_of(r, "exact", true))
        used = (size_t)snprintf(out, size, " Estimated from %s combinations drawn at random.",
                                covey_i_facts_digits(part, detail_of(r, "draws", 0)));
    if (unknown > 0 && used < size)
        snprintf(out + used, size - used, " Left out: %s %s, of which it cannot be told what rows they hold.",
                 covey_i_facts_digits(left, unknown), f->unit_plural);
}

static void name_attack(covey_page *page, const covey_attack_result *r)
{
    covey_i_page_cell(page, "%s%s%s", covey_attack_name(r->attack), r->attribute[0] ? ", " : "", r->attribute);
}

/* A number of these words in the page's form: "93.1 %", "2,326".  Returns what stands behind it. */
static const char *add_number(covey_text *out, const char *words)
{
    char *end, text[COVEY_COUNT_SIZE];
    const double number = strtod(words, &end);
    const bool is_whole = strspn(words, "0123456789") == (size_t)(end - words);

    if (*end == '%' && (!is_whole || number >= 10))
        covey_i_text_add_string(out, covey_i_facts_percent(text, number / 100));
    else if (is_whole && number < 1e15)
        covey_i_text_add_format(out, *end == '%' ? "%s\u00A0%%" : "%s", covey_i_facts_digits(text, (int64_t)number));
    else
        covey_i_text_add(out, words, (size_t)(end - words) + (*end == '%'));
    return end + (*end == '%');
}

/* What an attack says, in this page's words and numbers: attacks know no forms, and call all that stands together a
 * class, or groups. */
static void add_words(covey_text *out, const char *words, const covey_facts *f)
{
    while (*words) {
        const size_t size = strspn(words, "abcdefghijklmnopqrstuvwxyz");

        if (*words >= '0' && *words <= '9') {
            words = add_number(out, words);
            continue;
        }
        if (size == 5 && strncmp(words, "class", size) == 0)
            covey_i_text_add_string(out, f->unit);
        else if (size == 6 && strncmp(words, "groups", size) == 0)
            covey_i_text_add_string(out, f->unit_plural);
        else
            covey_i_text_add(out, words, size > 0 ? size : 1);
        words += size > 0 ? size : 1;
    }
}

static void tell_attack(covey_page *page, const covey_facts *f, const covey_attack_result *r)
{
    covey_text words = COVEY_TEXT_INIT;
    char sample[400];

    say_sample(sample, sizeof sample, f, r);
    name_attack(page, r);
    add_words(&words, r->words, f);
    page->broken |= words.broken;
    covey_i_page_cell(page, "%s%s", words.bytes && !words.broken ? words.bytes : "", sample);
    covey_i_text_free(&words);
    covey_i_page_cell(page, "%s", verdict_words(r));
}

/* What was left out, and why. */
static void tell_not_tried(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Attack", "Why it was not tried"};
    bool any = false;

    for (size_t i = 0; i < f->attacks->n_results; i++)
        any |= !f->attacks->result[i].applies;
    if (!any)
        return;
    covey_i_page_table(page, header, 2, "Attacks that were not tried; what is missing can be given to covey attack");
    for (size_t i = 0; i < f->attacks->n_results; i++)
        if (!f->attacks->result[i].applies) {
            name_attack(page, &f->attacks->result[i]);
            covey_i_page_cell(page, "%s", f->attacks->result[i].why_not);
        }
}

void covey_i_facts_tell_attacks(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Attack", "What it finds", "Verdict"};
    bool any = false;

    covey_i_page_add(page, SECTION, "What known attacks find");
    for (size_t i = 0; f->attacks && i < f->attacks->n_results; i++)
        any |= f->attacks->result[i].applies;
    if (!f->attacks) {
        covey_i_page_add(page, SAY, "No attack was tried, because the release does not pass its check.");
        return;
    }
    if (any) {
        covey_i_page_add(
            page, SAY,
            "For this report the release was attacked with all methods from the literature that apply to it%s.",
            f->is_internal ? "" : " and need no more than the release itself");
        covey_i_page_table(page, header, 3, "Attacks on the release");
        for (size_t i = 0; i < f->attacks->n_results; i++)
            if (f->attacks->result[i].applies)
                tell_attack(page, f, &f->attacks->result[i]);
    } else {
        covey_i_page_add(page, SAY, "None of the attacks that are tried here applies to a release of this form.");
    }
    tell_not_tried(page, f);
}

/* --- queries --- */

static void cell_of_share(covey_page *page, double value)
{
    char percent[COVEY_COUNT_SIZE];

    if (isnan(value))
        covey_i_page_cell(page, "not known");
    else
        covey_i_page_cell(page, "%s", covey_i_facts_percent(percent, value));
}

/* They were chosen, and have no more digits. */
static const char *say_selectivity(char out[COVEY_COUNT_SIZE], double share)
{
    snprintf(out, COVEY_COUNT_SIZE, "%.3g\u00A0%%", 100 * share);
    return out;
}

static void draw_queries(covey_page *page, const covey_facts *f)
{
    covey_page_spread spread[COVEY_FACT_SELECTIVITIES];
    char label[COVEY_FACT_SELECTIVITIES][COVEY_COUNT_SIZE], percent[4][COVEY_COUNT_SIZE], words[900] = "";
    size_t used = 0;

    for (size_t i = 0; i < f->n_queries; i++) {
        const covey_workload_spread *q = &f->queries[i];
        const char *copy = covey_arena_strdup(page->arena, say_selectivity(label[i], q->selectivity));

        page->broken |= !copy;
        spread[i].label = copy ? copy : "";
        memcpy(spread[i].quantile, q->error, sizeof q->error);
        if (!isnan(q->error[2]) && used < sizeof words)
            used += (size_t)snprintf(words + used, sizeof words - used,
                                     "%sAbout %s of all rows: typical error %s, the middle half from %s to %s, nine "
                                     "in ten below %s.",
                                     used ? " " : "", label[i], covey_i_facts_percent(percent[0], q->error[2]),
                                     covey_i_facts_percent(percent[1], q->error[1]),
                                     covey_i_facts_percent(percent[2], q->error[3]),
                                     covey_i_facts_percent(percent[3], q->error[4]));
    }
    covey_i_page_spread(page, spread, f->n_queries, "Errors of estimated answers, by how many rows a question is about",
                        "share of all rows that a question is about", "error, relative to the truth", words);
}

void covey_i_facts_tell_queries(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Questions about", "Error of 1 in 4 below#", "Typical error#",
                                         "3 in 4 below#",   "9 in 10 below#",         "Typical width of the bounds#"};
    char n[COVEY_COUNT_SIZE];

    if (f->n_queries == 0)
        return;
    covey_i_page_add(page, SECTION, "How well questions are answered");
    covey_i_page_add(page, SAY,
                     "The release was asked random questions of the kind \"how many rows of that age, in those "
                     "places, have one of these values?\", and the "
                     "answers were compared with the original table: %s for each size of question. Errors and widths "
                     "are relative to the true answer; half of the "
                     "errors are smaller than the typical one. The true answer always lies within the bounds.",
                     covey_i_facts_digits(n, f->n_asked));
    draw_queries(page, f);
    covey_i_page_table(page, header, 6, "Errors of answers");
    for (size_t i = 0; i < f->n_queries; i++) {
        const covey_workload_spread *q = &f->queries[i];

        covey_i_page_cell(page, "about %s of all rows", say_selectivity(n, q->selectivity));
        for (size_t k = 1; k < COVEY_SPREAD_QUANTILES; k++)
            cell_of_share(page, q->error[k]);
        cell_of_share(page, q->width[2]);
    }
}
