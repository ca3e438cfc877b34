/* What labels of each kind of hierarchy mean. */
#include "support/query/labeller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/release/random_release.h"

typedef char label_list[LABELLER_MOST_LABELS][LABELLER_BYTES];

static const char *one_of(const char *const *list, size_t n, uint64_t *state)
{
    return list[random_below(state, (unsigned)n)];
}

#define ONE_OF(list, state) one_of(list, sizeof(list) / sizeof *(list), state)

/* --- masks --- */

static void draw_code(char out[LABELLER_BYTES], uint64_t *state)
{
    const char *digits = random_below(state, 12) ? "0123" : "01*\xc3";
    size_t n = 0;

    for (int i = 0; i < 4; i++) {
        out[n++] = digits[random_below(state, 4)];
        if (out[n - 1] == '\xc3') /* one character of two bytes */
            out[n++] = '\xb6';
    }
    out[n] = '\0';
}

/* Its labels with 1 .. most characters masked, but not all. */
static size_t mask(label_list out, const char *value, int most)
{
    size_t start[LABELLER_BYTES], n = 0, n_labels = 0;

    for (size_t i = 0; value[i]; i++)
        if (((unsigned char)value[i] & 0xC0) != 0x80)
            start[n++] = i;
    for (int masked = 1; masked <= most && (size_t)masked < n; masked++) {
        const size_t kept = start[n - (size_t)masked];

        memcpy(out[n_labels], value, kept);
        memset(out[n_labels] + kept, '*', (size_t)masked);
        out[n_labels++][kept + (size_t)masked] = '\0';
    }
    return n_labels;
}

static size_t mask_2(label_list out, const char *value)
{
    return mask(out, value, 2);
}

static size_t mask_9(label_list out, const char *value)
{
    return mask(out, value, 9);
}

static void draw_digits(char out[LABELLER_BYTES], uint64_t *state)
{
    snprintf(out, LABELLER_BYTES, "%u",
             1000 + random_below(state, 4) * 100 + random_below(state, 3) * 10 + random_below(state, 3));
}

/* --- runs --- */

static void draw_word(char out[LABELLER_BYTES], uint64_t *state)
{
    static const char *const words[] = {"a",   "ab",          "b",       "b..c", "c",  "[1, 2]", "{a, b}",
                                        "d e", "K\xc3\xb6ln", "a..b..d", "z",    "zz", "y "};

    snprintf(out, LABELLER_BYTES, "%s", ONE_OF(words, state));
}

static size_t no_labels(label_list out, const char *value)
{
    return 0;
}

static void draw_plain_word(char out[LABELLER_BYTES], uint64_t *state)
{
    static const char *const words[] = {"a", "ab", "b",  "c", "[1, 2]", "d e", "K\xc3\xb6ln",
                                        "z", "zz", "y ", "f", "g",      "h",   "i"};

    snprintf(out, LABELLER_BYTES, "%s", ONE_OF(words, state));
}

static void draw_number(char out[LABELLER_BYTES], uint64_t *state)
{
    snprintf(out, LABELLER_BYTES, "%d", (int)random_below(state, 40) - 5);
}

/* --- intervals and cuts --- */

static void draw_decimal(char out[LABELLER_BYTES], uint64_t *state)
{
    snprintf(out, LABELLER_BYTES, "%.1f", random_below(state, 160) / 4 * 0.5);
}

static size_t decimal_steps(label_list out, const char *value)
{
    const int x = (int)strtod(value, NULL);

    snprintf(out[0], LABELLER_BYTES, "[%d,%d)", x / 5 * 5, x / 5 * 5 + 5);
    snprintf(out[1], LABELLER_BYTES, "[%d,%d)", x / 10 * 10, x / 10 * 10 + 10);
    return 2;
}

static void draw_age(char out[LABELLER_BYTES], uint64_t *state)
{
    snprintf(out, LABELLER_BYTES, "%u", random_below(state, 60));
}

static size_t age_steps(label_list out, const char *value)
{
    const int x = (int)strtol(value, NULL, 10);

    for (int i = 0, width = 5; i < 3; i++, width *= 2)
        snprintf(out[i], LABELLER_BYTES, "%d-%d", x / width * width, x / width * width + width - 1);
    return 3;
}

static size_t age_steps_clamped(label_list out, const char *value)
{
    const int x = (int)strtol(value, NULL, 10);

    for (int i = 0, width = 5; i < 2; i++, width *= 2) {
        const int low = 10 + (x - 10) / width * width, high = low + width - 1;

        if (x < 10)
            snprintf(out[i], LABELLER_BYTES, "<10");
        else if (x >= 45)
            snprintf(out[i], LABELLER_BYTES, ">=45");
        else
            snprintf(out[i], LABELLER_BYTES, "%d-%d", low, high < 45 ? high : 44);
    }
    return 2;
}

static size_t age_cuts(label_list out, const char *value)
{
    const int x = (int)strtol(value, NULL, 10);

    snprintf(out[0], LABELLER_BYTES, "%s",
             x < 10   ? "<10"
             : x < 11 ? "10"
             : x < 30 ? "11-29"
             : x < 50 ? "30-49"
                      : ">=50");
    snprintf(out[1], LABELLER_BYTES, "%s", x < 30 ? "<30" : ">=30");
    return 2;
}

/* --- dates --- */

static void draw_day(char out[LABELLER_BYTES], uint64_t *state)
{
    snprintf(out, LABELLER_BYTES, "%u-%02u-%02u", 1968 + random_below(state, 4), 1 + random_below(state, 12),
             1 + random_below(state, 2) * 14);
}

static size_t months_and_years(label_list out, const char *value)
{
    snprintf(out[0], LABELLER_BYTES, "%.7s", value);
    snprintf(out[1], LABELLER_BYTES, "%.4s", value);
    return 2;
}

static size_t quarters_and_decades(label_list out, const char *value)
{
    snprintf(out[0], LABELLER_BYTES, "%.4s-Q%d", value, ((int)strtol(value + 5, NULL, 10) - 1) / 3 + 1);
    snprintf(out[1], LABELLER_BYTES, "%.3s0s", value);
    return 2;
}

/* --- files --- */

/* Chains (doctor), a label that is a leaf elsewhere (nurse), the root's name on lower levels (judge). */
static const char jobs[] = "doctor;doctors;medical;*\nnurse;carers;medical;*\nmidwife;carers;medical;*\nteacher;school;"
                           "public;*\nclerk;nurse;public;*\n"
                           "guard;nurse;public;*\njudge;*;*;*\npoet;arts;arts;*\n";
static const char *const job_path[][3] = {
    {"doctor", "doctors", "medical"},
    {"nurse", "carers", "medical"},
    {"midwife", "carers", "medical"},
    {"teacher", "school", "public"},
    {"clerk", "nurse", "public"},
    {"guard", "nurse", "public"},
    {"judge", "", ""},
    {"poet", "arts", "arts"},
};

static void draw_job(char out[LABELLER_BYTES], uint64_t *state)
{
    snprintf(out, LABELLER_BYTES, "%s", job_path[random_below(state, sizeof job_path / sizeof *job_path)][0]);
}

static void draw_any_job(char out[LABELLER_BYTES], uint64_t *state)
{
    static const char *const others[] = {"spy", "{x, y}", "wizard", "tailor"};

    if (random_below(state, 3))
        draw_job(out, state);
    else
        snprintf(out, LABELLER_BYTES, "%s", ONE_OF(others, state));
}

static size_t job_labels(label_list out, const char *value)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof job_path / sizeof *job_path; i++)
        for (int level = 1; level < 3 && strcmp(job_path[i][0], value) == 0; level++)
            if (*job_path[i][level])
                snprintf(out[n++], LABELLER_BYTES, "%s", job_path[i][level]);
    return n;
}

/* Labels that are numbers, too, and whose leaves do not follow each other. */
static const char rooms[] = "1;odd;*\n3;odd;*\n5;odd;*\n2;100;*\n4;100;*\n6;100;*\n20;7-8;*\n21;7-8;*\n";

static void draw_room(char out[LABELLER_BYTES], uint64_t *state)
{
    static const char *const list[] = {"1", "3", "5", "2", "4", "6", "20", "21"};

    snprintf(out, LABELLER_BYTES, "%s", ONE_OF(list, state));
}

static void draw_any_room(char out[LABELLER_BYTES], uint64_t *state)
{
    if (random_below(state, 3))
        draw_room(out, state);
    else
        snprintf(out, LABELLER_BYTES, "%u", random_below(state, 25));
}

static size_t room_labels(label_list out, const char *value)
{
    const int x = (int)strtol(value, NULL, 10);

    if (x >= 1 && x <= 6)
        snprintf(out[0], LABELLER_BYTES, "%s", x % 2 ? "odd" : "100");
    else
        snprintf(out[0], LABELLER_BYTES, "7-8");
    return (x >= 1 && x <= 6) || x == 20 || x == 21;
}

static const labeller_kind kinds[] = {
    {.name = "mask of texts",
     .type = "text",
     .hierarchy = "x={mask: 9}",
     .draw = draw_code,
     .labels = mask_9,
     .is_known_by_rule_only = true},
    {.name = "short mask of texts",
     .type = "text",
     .hierarchy = "x={mask: 2}",
     .draw = draw_code,
     .labels = mask_2,
     .is_known_by_rule_only = true},
    {.name = "mask of integers", .type = "integer", .hierarchy = "x={mask: 9}", .draw = draw_digits, .labels = mask_9},
    {.name = "balanced texts",
     .type = "text",
     .hierarchy = "x={balanced: 2}",
     .draw = draw_word,
     .labels = no_labels,
     .is_runs = true,
     .is_known_by_rule_only = true,
     .is_ambiguous = true},
    {.name = "balanced texts by four",
     .type = "text",
     .hierarchy = "x={balanced: 4}",
     .draw = draw_plain_word,
     .labels = no_labels,
     .is_runs = true,
     .is_known_by_rule_only = true},
    {.name = "balanced integers",
     .type = "integer",
     .hierarchy = "x={balanced: 2}",
     .draw = draw_number,
     .labels = no_labels,
     .is_runs = true},
    {.name = "balanced decimals",
     .type = "decimal",
     .hierarchy = "x={balanced: 3}",
     .draw = draw_decimal,
     .labels = no_labels,
     .is_runs = true},
    {.name = "balanced dates",
     .type = "date",
     .hierarchy = "x={balanced: 3}",
     .draw = draw_day,
     .labels = no_labels,
     .is_runs = true},
    {.name = "intervals of decimals",
     .type = "decimal",
     .hierarchy = "x={interval: {from: 0, to: 100, widths: [5, 10]}}",
     .draw = draw_decimal,
     .labels = decimal_steps},
    {.name = "intervals of integers",
     .type = "integer",
     .hierarchy = "x={interval: {from: 0, to: 99, widths: [5, 10, 20]}}",
     .draw = draw_age,
     .labels = age_steps},
    {.name = "ranges with intervals",
     .type = "integer",
     .hierarchy = "x={interval: {from: 0, to: 99, widths: [5, 10, 20]}}",
     .publish = "x=range",
     .draw = draw_age,
     .labels = age_steps},
    {.name = "clamped intervals",
     .type = "integer",
     .hierarchy = "x={interval: {from: 10, to: 45, widths: [5, 10], clamp: true}}",
     .draw = draw_age,
     .labels = age_steps_clamped},
    {.name = "cuts",
     .type = "integer",
     .hierarchy = "x={cuts: [[10, 11, 30, 50], [30]]}",
     .draw = draw_age,
     .labels = age_cuts},
    {.name = "months and years",
     .type = "date",
     .hierarchy = "x={date: [month, year]}",
     .draw = draw_day,
     .labels = months_and_years},
    {.name = "quarters and decades",
     .type = "date",
     .hierarchy = "x={date: [quarter, decade]}",
     .draw = draw_day,
     .labels = quarters_and_decades},
    {.name = "ranges with masks",
     .type = "integer",
     .hierarchy = "x={mask: 3}",
     .publish = "x=range",
     .draw = draw_digits,
     .labels = mask_9},
    {.name = "a file",
     .type = "text",
     .hierarchy = "x={file: %s}",
     .lines = jobs,
     .draw = draw_job,
     .labels = job_labels,
     .has_plain_leaves = true},
    {.name = "a file and more values",
     .type = "text",
     .hierarchy = "x={file: %s, missing-leaf: root}",
     .lines = jobs,
     .draw = draw_any_job,
     .labels = job_labels,
     .has_plain_leaves = true},
    {.name = "a file of numbers",
     .type = "integer",
     .hierarchy = "x={file: %s}",
     .lines = rooms,
     .draw = draw_room,
     .labels = room_labels},
    {.name = "a file of numbers and more",
     .type = "integer",
     .hierarchy = "x={file: %s, missing-leaf: root}",
     .lines = rooms,
     .draw = draw_any_room,
     .labels = room_labels},
};

size_t labeller_count(void)
{
    return sizeof kinds / sizeof *kinds;
}

const labeller_kind *labeller_at(size_t i)
{
    return &kinds[i];
}

/* --- constants --- */

static bool is_number(const labeller_kind *kind)
{
    return strcmp(kind->type, "integer") == 0 || strcmp(kind->type, "decimal") == 0;
}

int labeller_compare(const labeller_kind *kind, const char *a, const char *b)
{
    const double x = strtod(a, NULL), y = strtod(b, NULL);

    return is_number(kind) ? (x > y) - (x < y) : strcmp(a, b); /* dates: their order is that of bytes */
}

void labeller_constant(char out[LABELLER_BYTES], const labeller_kind *kind, const char *const *value, size_t n_values,
                       uint64_t *state)
{
    static const char *const odd_texts[] = {
        "*",  "",   "null", "{a, b}", "[1, 2]", "****", "1**", "***0",           "zzz",
        "a ", "..", "...",  "b..",    "..b",    "{*}",  "12*", "medical..public"};
    char label[LABELLER_MOST_LABELS][LABELLER_BYTES], one[LABELLER_BYTES], two[LABELLER_BYTES];
    const unsigned choice = random_below(state, 10);
    size_t n;

    if (choice < 4 && n_values > 0)
        snprintf(one, sizeof one, "%s", value[random_below(state, (unsigned)n_values)]);
    else
        kind->draw(one, state);
    kind->draw(two, state);
    n = kind->labels(label, one);
    if (choice == 9 && is_number(kind))
        snprintf(out, LABELLER_BYTES, random_below(state, 2) ? "0%s" : "%s.0",
                 one[0] == '-' || strchr(one, '.') ? "7" : one);
    else if (choice == 9 && strcmp(kind->type, "text") == 0)
        snprintf(out, LABELLER_BYTES, "%s", ONE_OF(odd_texts, state));
    else if (choice == 8)
        snprintf(out, LABELLER_BYTES, "%s", one);
    else if (choice == 0)
        snprintf(out, LABELLER_BYTES, "*");
    else if (kind->is_runs)
        snprintf(out, LABELLER_BYTES, "%.30s..%.30s", labeller_compare(kind, one, two) <= 0 ? one : two,
                 labeller_compare(kind, one, two) <= 0 ? two : one);
    else
        snprintf(out, LABELLER_BYTES, "%s", n ? label[random_below(state, (unsigned)n)] : one);
}

/* Ways to part a text at "..", both sides in order. */
static int count_readings(int *found, const labeller_kind *kind, const char *constant, const char *value)
{
    int n = 0;

    *found = 0;
    for (const char *dots = strstr(constant, ".."); dots; dots = strstr(dots + 1, "..")) {
        char low[LABELLER_BYTES];

        snprintf(low, sizeof low, "%.*s", (int)(dots - constant), constant);
        if (labeller_compare(kind, low, dots + 2) > (strcmp(kind->type, "text") == 0 ? -1 : 0))
            continue;
        n++;
        *found = labeller_compare(kind, low, value) <= 0 && labeller_compare(kind, value, dots + 2) <= 0;
    }
    return n;
}

static bool is_leaf(const char *text)
{
    for (size_t i = 0; i < sizeof job_path / sizeof *job_path; i++)
        if (strcmp(job_path[i][0], text) == 0)
            return true;
    return false;
}

static bool looks_like_number(const char *text)
{
    char *end;

    (void)strtod(text, &end);
    return *text && !*end;
}

int labeller_stands(const labeller_kind *kind, const char *constant, const char *value)
{
    char label[LABELLER_MOST_LABELS][LABELLER_BYTES];
    const size_t n = kind->labels(label, value);
    int found, n_readings;

    if (strcmp(constant, "*") == 0)
        return 1;
    if (kind->is_runs && (n_readings = count_readings(&found, kind, constant, value)) > 0)
        return n_readings > 1 ? -1 : found;
    for (size_t i = 0; i < n && !(kind->has_plain_leaves && is_leaf(constant)); i++)
        if (strcmp(label[i], constant) == 0)
            return 1;
    if (kind->labels == room_labels && strcmp(constant, "100") == 0)
        return 0;
    return is_number(kind) ? looks_like_number(constant) && labeller_compare(kind, constant, value) == 0
                           : strcmp(constant, value) == 0;
}

bool labeller_is_finer(const labeller_kind *kind, const char *a, const char *b, const char *value)
{
    char label[LABELLER_MOST_LABELS][LABELLER_BYTES];
    size_t n;

    if (strcmp(b, "*") == 0 || strcmp(a, "*") == 0)
        return strcmp(a, "*") != 0;
    if (strcmp(a, value) == 0 || strcmp(b, value) == 0)
        return strcmp(a, value) == 0;
    if (kind->is_runs) { /* runs that hold a value lie one in the other */
        char low_a[LABELLER_BYTES], low_b[LABELLER_BYTES];

        snprintf(low_a, sizeof low_a, "%.*s", (int)(strstr(a, "..") - a), a);
        snprintf(low_b, sizeof low_b, "%.*s", (int)(strstr(b, "..") - b), b);
        return labeller_compare(kind, low_a, low_b) >= 0 &&
               labeller_compare(kind, strstr(a, "..") + 2, strstr(b, "..") + 2) <= 0;
    }
    n = kind->labels(label, value);
    for (size_t i = 0; i < n; i++)
        if (strcmp(label[i], a) == 0 || strcmp(label[i], b) == 0)
            return strcmp(label[i], a) == 0;
    return false;
}
