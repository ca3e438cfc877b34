/* Everything that a report says, gathered before a word of it is written. */
#ifndef COVEY_REPORT_FACTS_H
#define COVEY_REPORT_FACTS_H

#include <covey/attack.h>
#include <covey/audit.h>
#include <covey/report.h>
#include <covey/utility.h>

#include "base/text.h"
#include "reader/opened.h"
#include "reader/original.h"
#include "utility/random_queries.h"

/* Rows with one value, or one range of values; -1: not known. */
typedef struct covey_fact_share {
    const char *label;
    int64_t before, after;
} covey_fact_share;

typedef struct covey_fact_distribution {
    const char *attribute;
    size_t n;
    const covey_fact_share *share;
    int64_t n_before, n_after; /* all rows; n_before 0: not known */
} covey_fact_distribution;

/* A sensitive value of a perturbed release, and the chance that a row that shows it has it. */
typedef struct covey_fact_shown {
    const char *label;
    double is_true;
} covey_fact_shown;

/* Classes of from .. to rows, or units. */
typedef struct covey_fact_sizes {
    int64_t from, to, n_classes, n_rows;
} covey_fact_sizes;

/* How large classes are, in rows or in units. */
typedef struct covey_fact_spread {
    size_t n; /* 0: there are no classes, or no units are known */
    const covey_fact_sizes *sizes;
    int64_t n_below_11, n_below_20; /* rows, or units, in classes of fewer */
} covey_fact_spread;

/* What counts as one where somebody is to be found: rows, or persons or households where they are known. */
typedef struct covey_fact_who {
    bool is_unit;
    const char *one, *many;         /* "row", "rows"; "person", "persons" */
    int64_t n, smallest;            /* published; of the class with fewest */
    double largest_risk, mean_risk; /* NaN: there is none */
    const covey_fact_spread *spread;
} covey_fact_who;

/* Behind the rows, by sampling weights, published or the original's; NaN or 0: there are none. */
typedef struct covey_fact_population {
    bool is_published;
    double fewest_people; /* whom the rows that look alike stand for, at least */
    double largest_risk, mean_risk;
} covey_fact_population;

/* Persons of the original whose rows a release by rows does not keep together; n 0: nobody said who they are. */
typedef struct covey_fact_persons {
    int64_t n;
    bool is_weighted; /* the risks are those among the people for whom the rows stand */
    double largest_risk, mean_risk;
} covey_fact_persons;

enum { COVEY_FACT_SELECTIVITIES = 6 };

typedef struct covey_facts {
    bool is_internal;
    const char *folder, *table; /* of the release, and the original, without the folders that they are in; NULL: none */
    const covey_stated *stated;
    const covey_opened *opened;
    const covey_verdict *verdict;
    const covey_measurement *measured;
    const covey_attack_report *attacks;
    const char *idle_entity; /* a column that names persons where each row is one's; NULL: none */
    bool has_links;          /* the publisher's list was given, by which promises over units are proven or are not */
    bool is_unread; /* its files are not in order: manifest and verdict are all there is, and nothing is measured */
    bool is_exact;  /* quasi-identifiers are published as they are */
    const char *unit, *unit_plural; /* "class", "classes" */
    covey_fact_spread rows, units;
    covey_fact_who who;
    covey_fact_population population;
    covey_fact_persons persons;
    size_t n_distributions;
    const covey_fact_distribution *distribution;
    size_t n_shown;
    const covey_fact_shown *shown; /* of a perturbed release; the surest first */
    double true_share;             /* of its sensitive values so many are to be expected to be shown as they are */
    double least_loss;             /* what every release of its kind loses at least; NaN: not known */
    size_t n_queries;
    covey_workload_spread queries[COVEY_FACT_SELECTIVITIES]; /* with the original only */
    int64_t n_asked;                                         /* random queries of each selectivity */
    char manifest_hash[65];

    covey_stated *own_stated;
    covey_opened *own_opened;
    covey_original *own_original;
    covey_verdict *own_verdict;
    covey_measurement *own_measured;
    covey_attack_report *own_attacks;
    covey_arena arena;
} covey_facts;

covey_status covey_i_facts_gather(covey_facts *out, const char *folder, const covey_report_options *options,
                                  const covey_run *run, covey_error *err);
void covey_i_facts_clear(covey_facts *facts);

/* What rows and values look like: shares.c. */
covey_status covey_i_facts_count(covey_facts *facts, covey_error *err);
/* What re-identification found of columns of the original that are not published, weights and persons: shares.c. */
void covey_i_facts_count_people(covey_facts *facts, const covey_report_options *asked);

/* What a column has lost of its detail, in [0, 1]; NaN: it is no quasi-identifier, or nobody knows. */
double covey_i_facts_loss(const covey_facts *facts, size_t column);

/* What a form publishes and what it cannot protect from, in plain words. */
const char *covey_i_facts_form(const char *form);
const char *covey_i_facts_limit(const char *form);

/* How the promises over units are known: "is as the publisher states it: ...", a verb first, a full stop last. */
const char *covey_i_facts_of_units(const covey_facts *facts);

/* 46033 as "46,033"; returns out. */
enum { COVEY_COUNT_SIZE = 40 };
const char *covey_i_facts_digits(char out[COVEY_COUNT_SIZE], int64_t n);
/* 0.2634 as "26.3 %", 26.5 as "2,650 %", what is next to nothing as "< 0.01 %"; returns out. */
const char *covey_i_facts_percent(char out[COVEY_COUNT_SIZE], double share);

/* The page for readers (src/report/content.c) and the object for programs (src/report/facts_json.c); COVEY_ENOMEM. */
struct covey_page;
void covey_i_facts_tell(struct covey_page *page, const covey_facts *facts);
/* Its first section: src/report/content_summary.c. */
void covey_i_facts_tell_summary(struct covey_page *page, const covey_facts *facts);
/* Is the limit of an attack what was promised?  That of some is the literature's. */
bool covey_i_facts_is_promised(const covey_attack_result *result);
/* Its sections on attacks and on questions that were tried: src/report/content_evidence.c. */
void covey_i_facts_tell_attacks(struct covey_page *page, const covey_facts *facts);
void covey_i_facts_tell_queries(struct covey_page *page, const covey_facts *facts);
/* Names of the columns of each slice, "a, b; c, s"; false: there are none. */
bool covey_i_facts_slices(covey_text *out, const struct json_t *root);
/* Version and parameters of the method, from the manifest (facts_json.c). */
void covey_i_facts_parameters(struct covey_page *page, const struct json_t *root);
covey_status covey_i_facts_json(covey_text *out, const covey_facts *facts, covey_error *err);

#endif
