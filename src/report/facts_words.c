/* Words and numbers of a report that its sections and its JSON share. */
#include "report/facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double covey_i_facts_loss(const covey_facts *f, size_t column)
{
    const covey_stated_column *c = &f->stated->column[column];
    double loss = NAN;
    size_t quasi = 0;

    if (c->role != COVEY_ROLE_QUASI)
        return NAN;
    for (size_t i = 0; i < column; i++)
        quasi += f->stated->column[i].role == COVEY_ROLE_QUASI;
    if (f->measured && quasi < f->measured->n_attributes)
        loss = f->measured->attribute[quasi].ail;
    return isnan(loss) && c->ail.present ? c->ail.value : loss;
}

struct form_words {
    const char *form, *shows, *limit;
};

static const struct form_words form_words[] = {
    {"generalized",
     "What could identify people is coarsened until rows look alike in groups, which are "
     "called classes; the other "
     "columns are published as they are.",
     "Columns that are published as they are can identify people, too, if somebody knows their values: what counts as "
     "identifying was decided by the "
     "publisher."},
    {"bucketized",
     "Identifying columns and sensitive values are published exactly, in two tables. Only groups of rows link them: "
     "which value belongs to which "
     "row of a group is not published.",
     "Everybody can see who is in the table: identifying columns are published exactly. Only the link to the sensitive "
     "value is hidden, and somebody who knows "
     "the values of others in the same group narrows it down."},
    {"perturbed",
     "Rows are published with their identifying columns as they are. Their sensitive values were kept or replaced at "
     "random, with chances that are "
     "published, too.",
     "Everybody can see who is in the table: identifying columns are published exactly. A shown sensitive value is "
     "true with the published chance; more is "
     "learned where several releases of the same rows are published."},
    {"sliced",
     "Values are published as they are, in several tables of few columns each. Only buckets of rows link these tables: "
     "which pieces belong to the same "
     "row is not published.",
     "Combinations of values that stand in one table are published exactly, and unusual ones can show that somebody is "
     "in the data."},
    {"transformed",
     "Identifying columns are published as they are. Sensitive values are published group by group as ranges of a "
     "common tree, so that every group shows "
     "the same distribution.",
     "Everybody can see who is in the table: identifying columns are published exactly. What is hidden is which "
     "sensitive value belongs to whom."},
};

static const struct form_words *words_of(const char *form)
{
    static const struct form_words other = {"", "", ""};

    for (size_t i = 0; i < sizeof form_words / sizeof *form_words; i++)
        if (strcmp(form_words[i].form, form) == 0)
            return &form_words[i];
    return &other;
}

const char *covey_i_facts_form(const char *form)
{
    return words_of(form)->shows;
}

const char *covey_i_facts_limit(const char *form)
{
    return words_of(form)->limit;
}

const char *covey_i_facts_digits(char out[COVEY_COUNT_SIZE], int64_t n)
{
    char digits[COVEY_COUNT_SIZE];
    const int size = snprintf(digits, sizeof digits, "%" PRId64, n);
    size_t used = 0;

    for (int i = 0; i < size && used + 2 < COVEY_COUNT_SIZE; i++) {
        if (i > 0 && digits[i - 1] != '-' && (size - i) % 3 == 0)
            out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

/* The blank in front of the sign is one at which no line breaks. */
const char *covey_i_facts_percent(char out[COVEY_COUNT_SIZE], double share)
{
    const double percent = 100 * share;
    char number[COVEY_COUNT_SIZE];

    if (percent > 0 && percent < 0.01)
        snprintf(out, COVEY_COUNT_SIZE, "< 0.01\u00A0%%");
    else if (percent >= 1000 && percent < 1e15)
        snprintf(out, COVEY_COUNT_SIZE, "%s\u00A0%%", covey_i_facts_digits(number, (int64_t)(percent + 0.5)));
    else
        snprintf(out, COVEY_COUNT_SIZE, "%.*f\u00A0%%",
                 percent == 0 || percent >= 100 ? 0
                 : percent < 1                  ? 2
                                                : 1,
                 percent);
    return out;
}

const char *covey_i_facts_of_units(const covey_facts *f)
{
    static const char *const words[] = {
        [COVEY_FIT_UNASKED] = "is as the publisher states it: the files do not say whose rows are whose.",
        [COVEY_FIT_UNDECIDED] = "is as the publisher states it: whether the original's persons can make these "
                                "classes at all was looked for, and not decided. The publisher's list of classes "
                                "(links) proves it.",
        [COVEY_FIT_NONE] = "is not true: the original's persons cannot make these classes.",
        [COVEY_FIT_WHOLE] = "is as the publisher states it: the original's persons can make these classes, but in the "
                            "way that was found not every promise over them could be proven. The publisher's list of "
                            "classes (links) proves it.",
        [COVEY_FIT_KEPT] = "is as the publisher states it: the original's persons can make these classes in a way that "
                           "keeps every promise over them, which need not be the publisher's. The publisher's list of "
                           "classes (links) proves that.",
        [COVEY_FIT_ONLY] = "is as the publisher states it: the original's persons can make these classes in one way "
                           "alone, but not every promise over them can be proven.",
    };

    if (f->verdict->units_proven == 1)
        return f->has_links ? "was proven from the original and the publisher's list of classes (links)."
                            : "was proven from the original, whose persons can make these classes in one way alone.";
    if (f->has_links)
        return f->verdict->faithful == 1
                   ? "is as the publisher states it: the list of classes (links) fits, but a promise on several "
                     "attributes jointly cannot be proven over them."
                   : "was not proven: there are problems with the publisher's list of classes (links).";
    return words[f->verdict->units_fit];
}
