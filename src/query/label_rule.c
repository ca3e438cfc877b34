/* Labels of hierarchies that a rule made: which values they cover. */
#include "query/label_rule.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "release/manifest/hierarchy_json.h"

enum { N_AREAS = 1000, MOST_DIGITS = 18 };

covey_status covey_i_label_rule(covey_label_rule *out, const struct json_t *json, covey_arena *arena, covey_error *err)
{
    covey_hierarchy_spec spec;
    covey_status status = json ? covey_i_hierarchy_spec_read(&spec, json, arena, err) : COVEY_EINVAL;

    *out = (covey_label_rule){.kind = COVEY_RULE_UNKNOWN};
    if (status != COVEY_OK)
        return status == COVEY_EINVAL ? COVEY_OK : status;
    switch (spec.kind) {
    case COVEY_HIERARCHY_MASK:
        out->kind = COVEY_RULE_MASK;
        out->n = spec.n;
        break;
    case COVEY_HIERARCHY_ZIP3:
        out->kind = COVEY_RULE_AREAS;
        for (size_t i = 0; i < spec.n_areas; i++)
            for (int area = 0; area < N_AREAS; area++) {
                char name[12];

                snprintf(name, sizeof name, "%03d", area);
                out->restricted[area] |= strcmp(name, spec.areas[i]) == 0;
            }
        break;
    case COVEY_HIERARCHY_SUPPRESSION:
        out->kind = COVEY_RULE_VALUES;
        break;
    case COVEY_HIERARCHY_FILE:
        out->kind = COVEY_RULE_NONE;
        break;
    default: /* numbers are what their labels say (query/label.h), texts are in runs */
        out->kind = COVEY_RULE_RUNS;
        break;
    }
    return COVEY_OK;
}

/* --- texts --- */

static size_t count_characters(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void covey_i_label_rule_learn(covey_label_rule *rule, const char *label)
{
    if (rule->kind == COVEY_RULE_MASK && strcmp(label, "*") != 0)
        rule->length = (int64_t)count_characters(label);
}

/* The least text above all that begin with text[0 .. n-1]: its last byte one up.  UTF-8 has no byte 0xFF. */
static char *behind_prefix(const char *text, size_t n, covey_arena *arena)
{
    char *end = covey_arena_array(arena, char, n + 1);

    if (!end)
        return NULL;
    memcpy(end, text, n);
    end[n] = '\0';
    end[n - 1] = (char)(unsigned char)((unsigned char)end[n - 1] + 1);
    return end;
}

static covey_status set_prefix(covey_value_run *out, const char *text, size_t n, covey_arena *arena, covey_error *err)
{
    *out = (covey_value_run){.is_text = true,
                             .low = covey_arena_strndup(arena, text, n),
                             .high = behind_prefix(text, n, arena),
                             .high_open = true};
    return out->low && out->high ? COVEY_OK : covey_i_no_memory(err);
}

/* Integers that begin like text[0 .. n-1] and have so many digits more; false: it is no beginning of a number. */
static bool set_digits(covey_value_run *out, const char *text, size_t n, int64_t more)
{
    const bool is_negative = n > 0 && *text == '-';
    int64_t low = 0, unit = 1;

    if (n == is_negative || n + (uint64_t)more > MOST_DIGITS)
        return false;
    for (size_t i = is_negative; i < n; i++) {
        if (!isdigit((unsigned char)text[i]))
            return false;
        low = 10 * low + (text[i] - '0');
    }
    while (more-- > 0)
        unit *= 10;
    low *= unit;
    *out = (covey_value_run){.number = {.has_low = true,
                                        .has_high = true,
                                        .low = is_negative ? -low - unit + 1 : low,
                                        .high = is_negative ? -low : low + unit - 1}};
    return true;
}

/* All characters of a value are never masked: that is the root. */
static covey_status mask_runs(uint32_t *n, covey_value_run *run, const covey_label_rule *rule, covey_type type,
                              const char *label, covey_arena *arena, covey_error *err)
{
    const size_t size = strlen(label);
    const int64_t length = (int64_t)count_characters(label);
    int64_t masked = 0;

    if (rule->length && length != rule->length)
        return COVEY_OK;
    while (masked < rule->n && masked < length - 1 && label[size - 1 - (size_t)masked] == '*')
        masked++;
    if (masked == 0)
        return COVEY_OK;
    if (type != COVEY_TYPE_TEXT) {
        *n = type == COVEY_TYPE_INTEGER && set_digits(run, label, size - (size_t)masked, masked);
        return COVEY_OK;
    }
    *n = 1;
    return set_prefix(run, label, size - (size_t)masked, arena, err);
}

/* first..last, at every ".." that parts texts in order. */
static covey_status text_runs(uint32_t *n, covey_value_run **out, const covey_label_rule *rule, const char *label,
                              covey_arena *arena, covey_error *err)
{
    const char *begin = label + (rule->no_empty && *label);
    uint32_t room = 0;
    covey_value_run *run;

    for (const char *dots = begin; (dots = strstr(dots, "..")); dots++)
        room++;
    if (!(run = covey_arena_array(arena, covey_value_run, room)))
        return covey_i_no_memory(err);
    for (const char *dots = begin; (dots = strstr(dots, "..")); dots++) {
        const char *low = covey_arena_strndup(arena, label, (size_t)(dots - label));

        if (!low)
            return covey_i_no_memory(err);
        if (strcmp(low, dots + 2) < 0)
            run[(*n)++] = (covey_value_run){.is_text = true, .low = low, .high = dots + 2};
    }
    *out = run;
    return COVEY_OK;
}

/* --- areas of ZIP codes --- */

/* Does the label stand for the area?  000 has those that are restricted, which no other label has. */
static bool holds_area(const covey_label_rule *rule, const char *label, int area)
{
    char name[12];

    if (area == 0 || rule->restricted[area])
        return strcmp(label, "000") == 0;
    snprintf(name, sizeof name, "%03d", area);
    for (int i = 0; i < 3; i++)
        if (label[i] != '*' && label[i] != name[i])
            return false;
    return true;
}

/* 123, 12*, 1**. */
static bool is_area_label(const char *label)
{
    bool masked = false;

    if (strlen(label) != 3 || label[0] == '*')
        return false;
    for (int i = 0; i < 3; i++) {
        if (masked ? label[i] != '*' : label[i] != '*' && !isdigit((unsigned char)label[i]))
            return false;
        masked |= label[i] == '*';
    }
    return true;
}

static covey_status area_runs(uint32_t *n, covey_value_run **out, const covey_label_rule *rule, const char *label,
                              covey_arena *arena, covey_error *err)
{
    covey_value_run *run;

    if (!is_area_label(label))
        return COVEY_OK;
    if (!(run = covey_arena_array(arena, covey_value_run, N_AREAS / 2)))
        return covey_i_no_memory(err);
    for (int area = 0, next; area < N_AREAS; area = next) {
        char first[12], last[12]; /* of any int, as compilers see it */

        next = area + 1;
        if (!holds_area(rule, label, area))
            continue;
        while (next < N_AREAS && holds_area(rule, label, next))
            next++;
        snprintf(first, sizeof first, "%03d", area);
        snprintf(last, sizeof last, "%03d", next - 1);
        COVEY_TRY(set_prefix(&run[*n], first, 3, arena, err));
        if (!(run[(*n)++].high = behind_prefix(last, 3, arena)))
            return covey_i_no_memory(err);
    }
    *out = run;
    return COVEY_OK;
}

/* --- any label --- */

covey_status covey_i_label_runs(uint32_t *n, covey_value_run **out, bool *is_either, const covey_label_rule *rule,
                                covey_type type, const char *label, covey_arena *arena, covey_error *err)
{
    covey_value_run *run = covey_arena_array_zero(arena, covey_value_run, 1);

    *n = 0;
    *is_either = false;
    if (!(*out = run))
        return covey_i_no_memory(err);
    if (rule->kind == COVEY_RULE_NONE)
        return COVEY_OK;
    if (strcmp(label, "*") == 0) {
        *n = 1;
        run->is_text = type == COVEY_TYPE_TEXT;
        return COVEY_OK;
    }
    if (rule->kind == COVEY_RULE_MASK) {
        COVEY_TRY(mask_runs(n, run, rule, type, label, arena, err));
        *is_either = *n > 0 && type == COVEY_TYPE_TEXT && rule->length == 0; /* or no label, if values are longer */
        return COVEY_OK;
    }
    if (rule->kind == COVEY_RULE_AREAS && type == COVEY_TYPE_TEXT)
        return area_runs(n, out, rule, label, arena, err);
    if (rule->kind != COVEY_RULE_RUNS || type != COVEY_TYPE_TEXT)
        return COVEY_OK;
    COVEY_TRY(text_runs(n, out, rule, label, arena, err));
    *is_either = *n > 1;
    return COVEY_OK;
}

bool covey_i_label_run_reaches(const covey_value_run *run, const char *before, const char *behind)
{
    if (before && behind && strcmp(before, behind) == 0) /* a text */
        return (!run->low || strcmp(run->low, before) <= 0) &&
               (!run->high || strcmp(before, run->high) < !run->high_open);
    return (!run->low || !behind || strcmp(behind, run->low) > 0) &&
           (!run->high || !before || strcmp(before, run->high) < 0);
}
