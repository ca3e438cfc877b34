/* Proving what presets claim, claim by claim.  A preset is a claim as a promise is: that a folder says "cms11" or
 * "hipaa-zip3" is why somebody accepts it. Sources of the rules: src/policy/preset/. */
#include "reader/presets.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/error.h"
#include "base/exact/fraction.h"
#include "model/preset_claims.h"
#include "reader/cells/cells.h"
#include "table/column_words.h"
#include "table/table_impl.h"

/* --- promises --- */

/* The largest k that k-anonymity is promised with; 0: it is not promised. */
static covey_ratio promised_k(const covey_stated *stated)
{
    covey_ratio most = {0, 1};

    for (size_t p = 0; p < stated->n_promises; p++)
        for (size_t i = 0; strcmp(stated->promise[p].model, "k-anonymity") == 0 && i < stated->promise[p].n_params;
             i++) {
            covey_ratio k;

            if (strcmp(stated->promise[p].param_name[i], "k") == 0 &&
                covey_ratio_parse(&k, stated->promise[p].param_text[i], NULL) == COVEY_OK &&
                covey_ratio_compare(k, most) > 0)
                most = k;
        }
    return most;
}

static void check_k(covey_problems *problems, const covey_preset_claim *claim, const covey_stated *stated)
{
    const covey_ratio k = promised_k(stated);
    covey_ratio asked;

    if (covey_ratio_parse(&asked, claim->k, NULL) != COVEY_OK || covey_ratio_compare(k, asked) >= 0)
        return;
    if (k.num == 0)
        covey_i_problem(problems,
                        "manifest.json: the preset %s asks for k-anonymity with k = %s, which is not promised",
                        claim->name, claim->k);
    else
        covey_i_problem(problems,
                        "manifest.json: the preset %s asks for k-anonymity with k = %s at least, but k = %" PRId64
                        " is promised",
                        claim->name, claim->k, k.num / k.den);
}

/* --- treatments --- */

/* What the publisher said of a preset; NULL: nothing. */
static const char *parameter(const covey_stated *stated, const char *preset, const char *name)
{
    return json_string_value(
        json_object_get(json_object_get(json_object_get(stated->root, "preset_parameters"), preset), name));
}

/* Is the column one that the preset treats: the one that is named, or any whose name says so? */
static bool is_meant(const covey_stated_column *column, const char *given, bool (*fits)(const char *name))
{
    return given ? strcmp(given, column->name) == 0 : fits(column->name);
}

static bool caps_ages(const covey_stated_column *column, const covey_preset_claim *claim)
{
    const json_t *n = json_object_get(json_object_get(column->hierarchy_spec, "top"), "n");
    covey_ratio oldest;

    return json_is_integer(n) && covey_ratio_parse(&oldest, claim->oldest, NULL) == COVEY_OK &&
           json_integer_value(n) <= oldest.num;
}

static bool shortens_zips(const covey_stated_column *column)
{
    return json_array_size(json_object_get(column->hierarchy_spec, "zip3")) > 0;
}

static void check_treatments(covey_problems *problems, const covey_preset_claim *claim, covey_stated *stated)
{
    const char *age = parameter(stated, claim->name, "age"), *zip = parameter(stated, claim->name, "zip");

    for (size_t c = 0; c < stated->n_columns; c++) {
        covey_stated_column *column = &stated->column[c];

        if (is_meant(column, age, covey_i_column_is_age_name)) {
            column->safe_harbor = COVEY_SAFE_HARBOR_AGE;
            if (column->role != COVEY_ROLE_QUASI || !caps_ages(column, claim))
                covey_i_problem(problems,
                                "manifest.json: the preset %s makes one category of ages of %s and more, but column "
                                "\"%s\" is not treated so",
                                claim->name, claim->oldest, column->name);
        } else if (is_meant(column, zip, covey_i_column_is_zip_name)) {
            column->safe_harbor = COVEY_SAFE_HARBOR_ZIP;
            if (column->role != COVEY_ROLE_QUASI || !shortens_zips(column))
                covey_i_problem(problems,
                                "manifest.json: the preset %s leaves three digits of ZIP codes and joins small areas, "
                                "but column \"%s\" is not treated so",
                                claim->name, column->name);
        }
    }
}

void covey_i_presets_check(covey_problems *problems, covey_stated *stated)
{
    for (size_t i = 0; i < stated->n_presets; i++) {
        const covey_preset_claim *claim = covey_i_preset_claim(stated->preset[i]);

        if (!claim) {
            covey_i_problem(problems, "manifest.json: the preset \"%s\" is not known: what it claims cannot be checked",
                            stated->preset[i]);
            continue;
        }
        if (claim->k)
            check_k(problems, claim, stated);
        if (claim->oldest)
            check_treatments(problems, claim, stated);
    }
}

/* --- cells --- */

static bool says_nothing(const char *text)
{
    return *text == '\0' || strcmp(text, "*") == 0 || strcmp(text, "null") == 0;
}

/* Is the number below the limit (is_end: at most the limit)?  Whatever is no number is not. */
static bool is_below(const char *text, size_t size, int64_t limit, bool is_end)
{
    int64_t value, unit = 1;
    int scale;

    if (!covey_i_typing_parse_decimal(&value, &scale, text, size))
        return false;
    for (; scale > 0; scale--)
        unit *= 10;
    return is_end ? (__int128)value <= (__int128)limit * unit : (__int128)value < (__int128)limit * unit;
}

/* The labels of ages: 42, 40-44, [42.5,45) and 90+ ("-20..-11" where one is negative). */
static bool hides_old(const char *text, int64_t oldest)
{
    const size_t n = strlen(text);
    const char *end = text + n, *from = end;

    if (says_nothing(text))
        return true;
    if (n > 1 && text[n - 1] == '+')
        return is_below(text, n - 1, oldest, true);
    if (text[0] == '[' && text[n - 1] == ')') {
        const char *comma = strchr(text, ',');

        return comma && is_below(comma + 1, n - 1 - (size_t)(comma + 1 - text), oldest, true);
    }
    if (is_below(text, n, oldest, false))
        return true;
    while (from > text && isdigit((unsigned char)from[-1]))
        from--;
    return from > text + 1 && from < end && (from[-1] == '-' || from[-1] == '.') &&
           is_below(from, (size_t)(end - from), oldest, false);
}

static bool is_listed(const json_t *areas, const char *text)
{
    for (size_t i = 0; i < json_array_size(areas); i++) {
        const char *area = json_string_value(json_array_get(areas, i));

        if (area && strcmp(area, text) == 0)
            return strcmp(text, "000") != 0;
    }
    return false;
}

/* The labels of areas: 123, 12*, 1** and 000. */
static bool hides_places(const char *text, const json_t *areas)
{
    size_t n = 0;

    if (says_nothing(text))
        return true;
    while (isdigit((unsigned char)text[n]))
        n++;
    if (n == 0 || n > 3 || strlen(text) != 3 || strspn(text + n, "*") != 3 - n)
        return false;
    return n < 3 || !is_listed(areas, text);
}

static bool is_hidden(const covey_stated_column *stated, const char *text)
{
    const json_t *spec = stated->hierarchy_spec;

    return stated->safe_harbor == COVEY_SAFE_HARBOR_ZIP
               ? hides_places(text, json_object_get(spec, "zip3"))
               : hides_old(text, json_integer_value(json_object_get(json_object_get(spec, "top"), "n")));
}

static covey_status check_cell(bool *ok, covey_opened_column *column, const char *text, covey_error *err)
{
    const char **element = NULL;
    bool is_set = false;
    uint32_t n = 0;

    if (covey_i_cell_is_set(text))
        COVEY_TRY(covey_i_cell_split_set(&element, &n, &is_set, text, &column->arena, err));
    *ok = is_set || is_hidden(column->stated, text);
    for (uint32_t i = 0; is_set && i < n; i++)
        *ok &= is_hidden(column->stated, element[i]);
    return COVEY_OK;
}

covey_status covey_i_presets_check_cells(covey_opened_column *column, covey_error *err)
{
    static const char *const fault[] = {
        [COVEY_SAFE_HARBOR_AGE] = "the cell shows an age that the preset hipaa-zip3 hides",
        [COVEY_SAFE_HARBOR_ZIP] = "the cell shows a place that the preset hipaa-zip3 hides",
    };
    const uint32_t n = column->text->n_values;

    if (column->stated->safe_harbor == COVEY_SAFE_HARBOR_NONE)
        return COVEY_OK;
    if (!column->cell && !column->fault && !(column->fault = covey_arena_array_zero(&column->arena, const char *, n)))
        return covey_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        const char **own = column->cell ? &column->cell[i].fault : &column->fault[i];
        bool ok;

        COVEY_TRY(check_cell(&ok, column, covey_column_label(column->text, i), err));
        if (!ok && !*own)
            *own = fault[column->stated->safe_harbor];
        if (!ok && column->cell)
            column->cell[i].kind = COVEY_CELL_WRONG;
    }
    return COVEY_OK;
}
