/* What a report says, in words for somebody who decides about data and need not know how they were anonymized. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <covey/model.h>

#include "report/facts.h"
#include "report/page.h"

#define SECTION COVEY_BLOCK_SECTION
#define SAY COVEY_BLOCK_PARAGRAPH
#define ITEM COVEY_BLOCK_ITEM
#define BAD COVEY_BLOCK_BAD

enum { SMALLEST_CELL = 11, SMALLEST_OF_0_09 = 12 /* 1/11 is above */, SMALLEST_OF_0_05 = 20 };

static double share_of(int64_t part, int64_t all)
{
    return all > 0 ? (double)part / (double)all : 0;
}

/* --- sections --- */

static bool is_k_anonymity(const covey_promise_verdict *p)
{
    return strcmp(p->model, "k-anonymity") == 0;
}

/* Models say what they promise of rows.  Households are what k-anonymity counts; values are persons'. */
static void tell_meaning(covey_page *page, const covey_facts *f, const covey_promise_verdict *p)
{
    const covey_model *model = covey_model_find(p->model);
    const char *meaning = model ? covey_model_summary(model) : "";

    if (!p->units[0])
        covey_i_page_cell(page, "%s", meaning);
    else if (strcmp(p->units, "rows") == 0)
        covey_i_page_cell(page, "%s; over rows alone, whosever they are", meaning);
    else if (!is_k_anonymity(p))
        covey_i_page_cell(page, "%s; over rows, and over persons", meaning);
    else if (strcmp(p->units, "count") == 0)
        covey_i_page_cell(page, "%s, of at least k %s", meaning, f->who.many);
    else
        covey_i_page_cell(page, "%s, and no %s has more than 1/k of them", meaning, f->who.one);
}

static void tell_promise(covey_page *page, const covey_facts *f, const covey_promise_verdict *p)
{
    char achieved[256], percent[COVEY_COUNT_SIZE], units[COVEY_COUNT_SIZE];

    covey_i_page_cell(page, "%s", p->model);
    tell_meaning(page, f, p);
    covey_i_page_cell(page, "%s", p->attribute[0] ? p->attribute : "all");
    if (p->threshold[0]) {
        covey_i_page_cell(page, "%s", p->threshold);
    } else {
        char text[512] = "";
        size_t used = 0;

        for (size_t i = 0; i < p->n_params && used < sizeof text; i++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", i ? ", " : "", p->param_name[i],
                                     p->param_text[i]);
        covey_i_page_cell(page, "%s", text);
    }
    if (p->kind == COVEY_ACHIEVED_KE)
        snprintf(achieved, sizeof achieved, "k = %s, e = %s", p->achieved, p->achieved_e);
    else if (p->kind == COVEY_ACHIEVED_FRACTION && strchr(p->achieved, '/'))
        snprintf(achieved, sizeof achieved, "%.4g (exactly %s)", p->achieved_value, p->achieved);
    else if (strcmp(p->model, "p-private") == 0 && p->holds)
        snprintf(achieved, sizeof achieved, "exactly that");
    else if (is_k_anonymity(p) && p->units[0] && f->who.is_unit) /* the chance is another one over these */
        snprintf(achieved, sizeof achieved, "%s rows, of %s %s", p->achieved,
                 covey_i_facts_digits(units, f->who.smallest), f->who.smallest == 1 ? f->who.one : f->who.many);
    else if (is_k_anonymity(p) && p->units[0])
        snprintf(achieved, sizeof achieved, "%s rows", p->achieved);
    else if (is_k_anonymity(p) && p->achieved_value >= 1)
        snprintf(achieved, sizeof achieved, p->achieved_value > 1 ? "%s: a chance of %s" : "%s: found for certain",
                 p->achieved, covey_i_facts_percent(percent, 1 / p->achieved_value));
    else
        snprintf(achieved, sizeof achieved, "%s", p->achieved);
    covey_i_page_cell(page, "%s", achieved);
    covey_i_page_cell(page, "%s", !p->holds ? "BROKEN" : f->verdict->holds ? "kept" : "not proven");
}

static void tell_problems(covey_page *page, const covey_facts *f)
{
    covey_i_page_add(page, BAD, "The check found:");
    for (size_t i = 0; i < f->verdict->n_problems; i++)
        covey_i_page_add(page, ITEM, "%s", f->verdict->problem[i]);
}

static bool is_promised_about(const covey_facts *f, const char *column)
{
    for (size_t i = 0; i < f->verdict->n_promises; i++)
        if (f->verdict->promise[i].joint || strcmp(f->verdict->promise[i].attribute, column) == 0)
            return true;
    return false;
}

/* Who decides has not read the warning that the publisher got. */
static void tell_unprotected(covey_page *page, const covey_facts *f)
{
    for (size_t c = 0; c < f->stated->n_columns; c++) {
        const covey_stated_column *column = &f->stated->column[c];

        if (column->role == COVEY_ROLE_SENSITIVE && !is_promised_about(f, column->name))
            covey_i_page_add(page, BAD,
                             "No promise is about the sensitive column %s: all rows of a %s may share one value of "
                             "it, which tells it of everybody there.",
                             column->name, f->unit);
    }
}

static void tell_promises(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Promise", "What it means", "About", "Asked for", "Achieved", "Verdict"};

    covey_i_page_add(page, SECTION, "What was promised, and what was achieved");
    covey_i_page_add(page, SAY,
                     "Each promise was checked again in the published files, %s by %s; achieved is the worst of them.",
                     f->unit, f->unit);
    covey_i_page_table(page, header, 6, "Promises of the release");
    for (size_t i = 0; i < f->verdict->n_promises; i++)
        tell_promise(page, f, &f->verdict->promise[i]);
    tell_unprotected(page, f);
    if (f->verdict->n_problems > 0)
        tell_problems(page, f);
}

static const char *treatment(const covey_facts *f, const covey_stated_column *column)
{
    if (column->role == COVEY_ROLE_SENSITIVE && strcmp(f->stated->form, "perturbed") == 0)
        return "kept or replaced at random";
    if (column->role == COVEY_ROLE_SENSITIVE && strcmp(f->stated->form, "transformed") == 0)
        return "as ranges, not linked to a row";
    if (column->role == COVEY_ROLE_SENSITIVE && strcmp(f->stated->form, "generalized") != 0)
        return "as it is, but not linked to a row";
    switch (column->publish) {
    case COVEY_PUBLISH_RANGE:
        return "as a range from smallest to largest";
    case COVEY_PUBLISH_LABEL:
        return "as a broader term";
    case COVEY_PUBLISH_SET:
        return "as a list of possible values";
    case COVEY_PUBLISH_VALUE:
        break;
    }
    return "as it is";
}

static const char *role_words(covey_role role)
{
    return role == COVEY_ROLE_QUASI ? "could identify people" : role == COVEY_ROLE_SENSITIVE ? "sensitive" : "neither";
}

static void tell_columns(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Column", "What it is", "How it is published", "Detail lost#"};
    char percent[COVEY_COUNT_SIZE];

    covey_i_page_add(page, SECTION, "What happened to each column");
    covey_i_page_add(page, SAY,
                     "Detail lost is 0 %% for a column that is as exact as in the original, and 100 %% for one that "
                     "says nothing any more.");
    covey_i_page_table(page, header, 4, "Columns of the release");
    for (size_t c = 0; c < f->stated->n_columns; c++) {
        const covey_stated_column *column = &f->stated->column[c];
        const double loss = covey_i_facts_loss(f, c);

        covey_i_page_cell(page, column->label ? "%s: %s" : "%s", column->name, column->label);
        covey_i_page_cell(page, "%s", role_words(column->role));
        covey_i_page_cell(page, "%s", loss >= 1 ? "suppressed: the same for all rows" : treatment(f, column));
        if (isnan(loss))
            covey_i_page_cell(page, "%s",
                              column->role == COVEY_ROLE_QUASI ? "not known"
                              : column->role == COVEY_ROLE_SENSITIVE && strcmp(f->stated->form, "perturbed") == 0
                                  ? "values replaced at random"
                              : column->role == COVEY_ROLE_SENSITIVE && f->is_exact ? "the link to its row"
                                                                                    : "nothing");
        else
            covey_i_page_bar(page, loss, covey_i_facts_percent(percent, loss));
    }
    if (isfinite(f->verdict->figures.ail) && !f->is_exact)
        covey_i_page_add(page, SAY, "All identifying columns together have lost %s of their detail.",
                         covey_i_facts_percent(percent, f->verdict->figures.ail));
    if (f->least_loss > 0)
        covey_i_page_add(page, SAY,
                         "Every release that generalizes these columns, keeps the promises and suppresses no more rows "
                         "loses %s at least, so this one loses at most %.3g times what the best one does.",
                         covey_i_facts_percent(percent, f->least_loss), f->verdict->figures.ail / f->least_loss);
}

static void tell_sizes(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Rows together#", "How often#", "Rows in them#", "Share of all rows#"},
                             *const of_units[] = {"Together#", "How often#", "Rows in them#", "Share of all rows#"};
    const covey_fact_spread *spread = f->who.spread;
    char from[COVEY_COUNT_SIZE], to[COVEY_COUNT_SIZE], n[COVEY_COUNT_SIZE], rows[COVEY_COUNT_SIZE];
    char percent[COVEY_COUNT_SIZE];

    if (spread->n == 0)
        return;
    covey_i_page_add(page, SECTION, "How many %s stand together", f->who.many);
    if (f->opened->n_classes == 1)
        covey_i_page_add(page, SAY,
                         f->is_exact ? "All rows are in one %s: nobody can tell which sensitive value belongs to which."
                                     : "All rows are in one %s: they look alike, so that nobody can tell them apart.",
                         f->unit);
    else if (f->is_exact)
        covey_i_page_add(page, SAY,
                         "The rows are in %s %s. Within one of them nobody can tell which sensitive value belongs to "
                         "which %s.",
                         covey_i_facts_digits(n, f->opened->n_classes), f->unit_plural, f->who.one);
    else
        covey_i_page_add(
            page, SAY, "The rows are in %s %s. Within one of them rows look alike, so that nobody can tell them apart.",
            covey_i_facts_digits(n, f->opened->n_classes), f->unit_plural);
    covey_i_page_table(page, f->who.is_unit ? of_units : header, 4, "Sizes of the %s%s%s", f->unit_plural,
                       f->who.is_unit ? ", in " : "", f->who.is_unit ? f->who.many : "");
    for (size_t i = 0; i < spread->n; i++) {
        const covey_fact_sizes *s = &spread->sizes[i];

        if (s->from == s->to)
            covey_i_page_cell(page, "%s", covey_i_facts_digits(from, s->from));
        else
            covey_i_page_cell(page, "%s to %s", covey_i_facts_digits(from, s->from), covey_i_facts_digits(to, s->to));
        covey_i_page_cell(page, "%s", covey_i_facts_digits(n, s->n_classes));
        covey_i_page_cell(page, "%s", covey_i_facts_digits(rows, s->n_rows));
        covey_i_page_bar(page, share_of(s->n_rows, f->opened->n_rows),
                         covey_i_facts_percent(percent, share_of(s->n_rows, f->opened->n_rows)));
    }
}

static void tell_distribution(covey_page *page, const covey_fact_distribution *d, bool is_random)
{
    static const char *const with_before[] = {"Value", "Before#", "Share before#", "Published#", "Share published#"};
    static const char *const without[] = {"Value", "Published#", "Share published#"};
    char n[COVEY_COUNT_SIZE], percent[COVEY_COUNT_SIZE];

    covey_i_page_table(page, d->n_before ? with_before : without, d->n_before ? 5 : 3, "%s%s", d->attribute,
                       is_random ? ", as shown: many of these values were drawn at random" : "");
    for (size_t i = 0; i < d->n; i++) {
        const covey_fact_share *s = &d->share[i];

        covey_i_page_cell(page, "%s", s->label);
        if (d->n_before) {
            covey_i_page_cell(page, "%s", covey_i_facts_digits(n, s->before));
            covey_i_page_bar(page, share_of(s->before, d->n_before),
                             covey_i_facts_percent(percent, share_of(s->before, d->n_before)));
        }
        covey_i_page_cell(page, "%s", covey_i_facts_digits(n, s->after));
        covey_i_page_bar(page, share_of(s->after, d->n_after),
                         covey_i_facts_percent(percent, share_of(s->after, d->n_after)));
    }
}

static void tell_distributions(covey_page *page, const covey_facts *f)
{
    bool any_before = false;

    if (f->n_distributions == 0)
        return;
    for (size_t i = 0; i < f->n_distributions; i++)
        any_before |= f->distribution[i].n_before > 0;
    covey_i_page_add(page, SECTION, "Sensitive values before and after");
    covey_i_page_add(page, SAY,
                     any_before
                         ? "Before counts all rows of the original table%s; published counts those of the release."
                         : "The release does not say how the values were distributed before%s.",
                     any_before && !f->is_internal ? ", which the release itself states" : "");
    for (size_t i = 0; i < f->n_distributions; i++)
        tell_distribution(page, &f->distribution[i], strcmp(f->stated->form, "perturbed") == 0);
}

/* A row of the table; the risk of rows goes with how many there are, that of units with their shares, too. */
static void tell_threshold(covey_page *page, const char *name, const char *who, int64_t least, double risk,
                           const covey_facts *f)
{
    const int64_t smallest = f->who.smallest;
    const bool is_met = f->who.is_unit && risk > 0 ? f->who.largest_risk <= risk : smallest >= least;
    char n[COVEY_COUNT_SIZE], percent[COVEY_COUNT_SIZE];

    covey_i_page_cell(page, "%s", name);
    covey_i_page_cell(page, "%s", who);
    covey_i_page_cell(page, "%s (%s)", covey_i_facts_digits(n, smallest),
                      smallest > 1 ? covey_i_facts_percent(percent, f->who.largest_risk) : "found for certain");
    covey_i_page_cell(page, "%s", !is_met ? "not\u00A0met" : f->verdict->holds ? "met" : "not\u00A0proven");
}

static void tell_risk(covey_page *page, const covey_facts *f)
{
    static const char *const header[] = {"Threshold", "Where it is used", "Smallest class, and the risk", "Verdict"};
    char below[COVEY_COUNT_SIZE], rows[COVEY_COUNT_SIZE], percent[COVEY_COUNT_SIZE], eleven[32];

    covey_i_page_add(page, SECTION, "The risk that somebody is found");
    if (f->is_exact || f->who.smallest <= 0) {
        covey_i_page_add(page, SAY,
                         "Identifying columns are published as they are: whoever knows them finds the row, with "
                         "certainty where nobody else is like that. The "
                         "usual thresholds for classes of rows that look alike therefore do not apply; what is "
                         "protected is the sensitive value.");
        if (f->is_exact && f->who.is_unit)
            covey_i_page_add(page, SAY,
                             "All rows of a %s are in one %s%s. The %s of a %s have as many rows each: which of its "
                             "values is whose is "
                             "not published. This %s",
                             f->who.one, f->unit,
                             f->opened->units_vary ? ", and some have several sensitive values"
                                                   : ", and have one sensitive value",
                             f->who.many, f->unit, covey_i_facts_of_units(f));
        return;
    }
    covey_i_page_table(page, header, 4, "Usual thresholds for the largest risk");
    snprintf(eleven, sizeof eleven, "11\u00A0%s", f->who.many);
    tell_threshold(page, eleven, "small cells in health statistics (CMS, USA)", SMALLEST_CELL, 0, f);
    tell_threshold(page, f->who.is_unit ? "0.09" : "0.09 (12\u00A0rows)",
                   "public clinical data (European Medicines Agency, Health Canada); some read it as 1 in 11",
                   SMALLEST_OF_0_09, 0.09, f);
    tell_threshold(page, f->who.is_unit ? "0.05" : "0.05 (20\u00A0rows)", "a stricter choice for sensitive data",
                   SMALLEST_OF_0_05, 0.05, f);
    covey_i_page_add(page, SAY, "On average the risk is %s. Of %s published %s, %s stand in classes of fewer than 11.",
                     covey_i_facts_percent(percent, f->who.mean_risk), covey_i_facts_digits(rows, f->who.n),
                     f->who.many, covey_i_facts_digits(below, f->who.spread->n_below_11));
    covey_i_page_add(page, SAY, "%c%s in classes of fewer than 20: %s.", toupper((unsigned char)f->who.many[0]),
                     f->who.many + 1, covey_i_facts_digits(below, f->who.spread->n_below_20));
    if (f->who.is_unit)
        covey_i_page_add(page, SAY,
                         "These figures assume an adversary who knows that a %s is in the table, and the identifying "
                         "columns of all its rows. The largest risk is the share of a class's rows that one %s may "
                         "have, the average one counts %s. That these are all rows of each %s %s",
                         f->who.one, f->who.one, f->who.many, f->who.one, covey_i_facts_of_units(f));
    else
        covey_i_page_add(
            page, SAY,
            "These figures assume an adversary who knows that a row is in the table, and all identifying columns of "
            "it.%s",
            f->stated->has_counterfeits || f->persons.n > 0
                ? ""
                : " They are about rows: where one person has several, the chance to find that person is larger.");
}

/* Somebody is found as soon as one of several rows is. */
static void tell_persons(covey_page *page, const covey_facts *f)
{
    const covey_fact_persons *p = &f->persons;
    char n[COVEY_COUNT_SIZE], largest[COVEY_COUNT_SIZE], mean[COVEY_COUNT_SIZE];

    if (p->n > 0)
        covey_i_page_add(page, SAY,
                         "The rows are those of %s persons, and the promises are about rows. %s "
                         "person is found with a chance of %s at most, and of %s on average. With the role entity the "
                         "rows of a person stay together, and promises hold over persons.",
                         covey_i_facts_digits(n, p->n),
                         p->is_weighted ? "Among all people for whom the rows stand by their sampling weights, by one "
                                          "row at least, a"
                                        : "By one row at least a",
                         covey_i_facts_percent(largest, p->largest_risk), covey_i_facts_percent(mean, p->mean_risk));
}

/* Who does not know who is in the table looks among all people. */
static void tell_population(covey_page *page, const covey_facts *f)
{
    const covey_fact_population *p = &f->population;
    char fewest[COVEY_COUNT_SIZE], largest[COVEY_COUNT_SIZE], mean[COVEY_COUNT_SIZE];

    if (!(p->fewest_people > 0))
        return;
    covey_i_page_add(page, SAY,
                     "By the %s sampling weights, rows that look alike stand for about %s people at least. Who "
                     "does not know who is in the table, and looks among all of these, finds the right one with a "
                     "chance of %s at most, and of %s on average. These are estimates: nothing is promised about "
                     "people outside the table.",
                     p->is_published ? "published" : "original's",
                     covey_i_facts_digits(fewest, (int64_t)p->fewest_people),
                     covey_i_facts_percent(largest, p->largest_risk), covey_i_facts_percent(mean, p->mean_risk));
}

static void tell_limits(covey_page *page, const covey_facts *f)
{
    covey_i_page_add(page, SECTION, "What this release does not protect from");
    if (covey_i_facts_limit(f->stated->form)[0])
        covey_i_page_add(page, ITEM, "%s", covey_i_facts_limit(f->stated->form));
    for (size_t i = 0; i < f->verdict->n_promises; i++) {
        const covey_model *model = covey_model_find(f->verdict->promise[i].model);
        bool said = !model || !covey_model_not_against(model);

        for (size_t j = 0; j < i && !said; j++)
            said = strcmp(f->verdict->promise[j].model, f->verdict->promise[i].model) == 0;
        if (!said)
            covey_i_page_add(page, ITEM, "%s: %s", f->verdict->promise[i].model, covey_model_not_against(model));
    }
    covey_i_page_add(
        page, ITEM,
        "Other publications about the same people: two releases together can tell what neither tells alone.");
    covey_i_page_add(page, ITEM,
                     "What is true of many people at once: a release that is of any use teaches facts about groups, "
                     "and they may be used against people who "
                     "belong to them, whether or not these are in the table.");
}

static void tell_file(covey_page *page, const char *name, int64_t n_rows, int64_t size_bytes, const char *sha256)
{
    char rows[COVEY_COUNT_SIZE], bytes[COVEY_COUNT_SIZE];

    covey_i_page_cell(page, "%s", name);
    covey_i_page_cell(page, "%s", covey_i_facts_digits(rows, n_rows));
    covey_i_page_cell(page, "%s", covey_i_facts_digits(bytes, size_bytes));
    covey_i_page_cell(page, "%s", sha256);
}

static void tell_reproduction(covey_page *page, const covey_facts *f)
{
    static const char *const files[] = {"File", "Rows#", "Bytes#", "SHA-256"};
    const struct json_t *root = f->stated->root;

    covey_i_page_add(page, SECTION, "For those who check or repeat it");
    covey_i_page_add(page, ITEM, "Form of the release: %s; method: %s", f->stated->form, f->stated->method);
    covey_i_facts_parameters(page, root);
    for (size_t i = 0; i < f->verdict->n_promises; i++) {
        const covey_promise_verdict *p = &f->verdict->promise[i];
        char text[900] = "";
        size_t used = 0;

        for (size_t j = 0; j < p->n_params && used < sizeof text; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s = %s", j ? ", " : "", p->param_name[j],
                                     p->param_text[j]);
        covey_i_page_add(page, ITEM, "Promise %s: %s", p->model, text);
    }
    covey_i_page_add(page, ITEM, "SHA-256 of manifest.json: %s", f->manifest_hash);
    covey_i_page_add(page, ITEM, "To check the release again: covey verify, with the folder of the release");
    covey_i_page_table(page, files, 4, "Files of the release");
    for (size_t i = 0; i < f->stated->n_files; i++) {
        const covey_stated_file *file = &f->stated->file[i];

        if (file->n_parts == 0)
            tell_file(page, file->name, file->n_rows, file->size_bytes, file->sha256);
        for (size_t p = 0; p < file->n_parts; p++)
            tell_file(page, file->part[p].name, file->part[p].n_rows, file->part[p].size_bytes, file->part[p].sha256);
    }
}

/* The day, in UTC; SOURCE_DATE_EPOCH gives another one, for pages that must come out alike. */
static const char *today(char out[16])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm day;

    if (!gmtime_r(&now, &day) || !strftime(out, 16, "%Y-%m-%d", &day))
        out[0] = '\0';
    return out;
}

static void tell_subject(covey_page *page, const covey_facts *f)
{
    char rows[COVEY_COUNT_SIZE], day[16];

    covey_i_page_subject(page, "%s%s%s%s%s%s rows, %zu columns; %s by %s. Report of %s.", f->folder ? "Release " : "",
                         f->folder ? f->folder : "", f->table ? " of " : "", f->table ? f->table : "",
                         f->folder || f->table ? ": " : "", covey_i_facts_digits(rows, f->stated->n_published),
                         f->stated->n_columns, f->stated->form, f->stated->method, today(day));
}

void covey_i_facts_tell(covey_page *page, const covey_facts *f)
{
    page->title = f->is_internal ? "Report on an anonymized release (internal)" : "Report on an anonymized release";
    page->is_internal = f->is_internal;
    tell_subject(page, f);
    covey_i_facts_tell_summary(page, f);
    if (f->is_unread) {
        tell_problems(page, f);
        return;
    }
    tell_promises(page, f);
    tell_columns(page, f);
    tell_sizes(page, f);
    tell_distributions(page, f);
    tell_risk(page, f);
    tell_persons(page, f);
    tell_population(page, f);
    covey_i_facts_tell_attacks(page, f);
    covey_i_facts_tell_queries(page, f);
    tell_limits(page, f);
    tell_reproduction(page, f);
}
