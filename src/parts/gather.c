/* See gather.h.  Every piece brings dictionaries of its own; their values are looked up in one growing dictionary per column, whose codes
 * stay as they are while it grows and are put in order at the end.
 *
 * The sample must depend on the table's rows and not on their order: it holds the different rows whose hashes are smallest (bottom-k
 * sampling, [CohenKaplan07]).  A row that belongs to it at the end has belonged to it from its first occurrence, so counts are exact. */
#include "parts/gather.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/threads.h"
#include "io/dictionary.h"

enum { SAMPLE = 1 << 14, MOST_ENTRIES = 4 * SAMPLE, SLICE = 1 << 14 };

/* One column: code 0 is the missing value, the others are the dictionary's, one higher. */
struct values {
    covey_dictionary dictionary;
    int64_t *count, *line; /* [capacity] rows with it; where it stands first */
    size_t capacity;
    uint32_t *place;       /* [dictionary.n + 1] in the order of bytes; made at the end */
};

/* A row of the sample; behind it stand the codes of its quasi-identifiers. */
struct entry {
    uint64_t hash;
    int64_t count;
};

struct covey_gathered {
    covey_plan *plan;
    covey_preparing *s;
    size_t n_columns;
    struct values *values;  /* [n_columns] */
    size_t *quasi, n_quasi; /* columns */
    struct entry *entry;    /* [MOST_ENTRIES] */
    uint32_t *code;         /* [MOST_ENTRIES][n_quasi] */
    size_t n_entries;
    uint64_t threshold;     /* only rows with smaller hashes can belong to the sample */
    uint64_t *hash;         /* [hash_capacity] of the piece's rows */
    size_t hash_capacity;
    covey_arena arena;
};

static covey_status no_memory(covey_error *err)
{
    return covey_fail(err, COVEY_ENOMEM, "gathering the values of a table");
}

static covey_status start(covey_gathered *g, covey_error *err)
{
    const covey_preparing *s = g->s;

    g->n_columns = s->p->n_columns;
    g->values = covey_arena_array_zero(&g->arena, struct values, g->n_columns);
    g->quasi = covey_arena_array(&g->arena, size_t, g->n_columns);
    if (!g->values || !g->quasi)
        return no_memory(err);
    for (size_t c = 0; c < g->n_columns; c++) {
        if (!covey_i_dictionary_init(&g->values[c].dictionary))
            return no_memory(err);
        if (s->role[c] == COVEY_ROLE_QUASI)
            g->quasi[g->n_quasi++] = c;
    }
    g->entry = covey_arena_array(&g->arena, struct entry, MOST_ENTRIES);
    g->code = covey_arena_array(&g->arena, uint32_t, MOST_ENTRIES * g->n_quasi);
    g->threshold = UINT64_MAX;
    return g->entry && g->code ? COVEY_OK : no_memory(err);
}

static bool grow(struct values *v, size_t n)
{
    size_t capacity = v->capacity ? v->capacity : 64;
    int64_t *count, *line;

    if (n <= v->capacity)
        return true;
    while (capacity < n)
        capacity *= 2;
    if (!(count = covey_i_realloc(v->count, capacity, sizeof *count)))
        return false;
    v->count = count;
    if (!(line = covey_i_realloc(v->line, capacity, sizeof *line)))
        return false;
    v->line = line;
    memset(count + v->capacity, 0, (capacity - v->capacity) * sizeof *count);
    memset(line + v->capacity, 0, (capacity - v->capacity) * sizeof *line);
    v->capacity = capacity;
    return true;
}

/* Our code of every value of a piece's column: map[its code]. */
static covey_status map_values(uint32_t *map, struct values *v, const covey_column *raw, covey_error *err)
{
    for (uint32_t i = 0; i < raw->n_values; i++) {
        if (i == 0 && raw->has_null)
            map[i] = 0;
        else
            map[i] = 1 + covey_i_dictionary_code(&v->dictionary, covey_column_label(raw, i), (uint32_t)covey_column_label_size(raw, i));
        if (v->dictionary.broken)
            return no_memory(err);
    }
    return grow(v, (size_t)v->dictionary.n + 1) ? COVEY_OK : no_memory(err);
}

/* A piece of the table. */
struct piece {
    covey_gathered *g;
    int64_t *kept, n;           /* rows that stay; NULL: all */
    const covey_column **raw;   /* [n_columns] */
    covey_column **picked;      /* [n_columns] owned; NULL: no row was dropped */
    uint32_t **map;             /* [n_columns] our code of each value */
    uint64_t **hash;            /* [n_columns] of each value; 0: missing */
};

/* Counts the values of a column. */
static covey_status count_column(const struct piece *p, size_t c, covey_error *err)
{
    const covey_column *raw = p->raw[c];
    struct values *v = &p->g->values[c];
    int64_t *count = covey_i_array_zero(raw->n_values, sizeof *count), *first = covey_i_array(raw->n_values, sizeof *first);
    covey_status status = count && first ? map_values(p->map[c], v, raw, err) : no_memory(err);

    if (status != COVEY_OK)
        goto done;
    for (uint32_t i = 0; i < raw->n_values; i++)
        p->hash[c][i] = p->map[c][i] == 0 ? 0 : covey_i_hash_bytes(covey_column_label(raw, i), covey_column_label_size(raw, i));
    for (int64_t row = 0; row < raw->n_rows; row++) {
        const uint32_t code = covey_i_code(raw, row);

        if (count[code]++ == 0)
            first[code] = row;
    }
    for (uint32_t i = 0; i < raw->n_values; i++) {
        if (count[i] > 0 && v->count[p->map[c][i]] == 0)
            v->line[p->map[c][i]] = covey_column_line(raw, first[i]);
        v->count[p->map[c][i]] += count[i];
    }
done:
    covey_i_free(count);
    covey_i_free(first);
    return status;
}

static covey_status take_column(void *context, size_t c, covey_error *err)
{
    struct piece *p = context;

    p->raw[c] = covey_table_column(p->g->s->p->table, c);
    if (p->kept) {
        COVEY_TRY(covey_i_column_pick(&p->picked[c], p->raw[c], p->kept, p->n, err));
        p->raw[c] = p->picked[c];
    }
    COVEY_TRY(covey_i_preparing_check_texts(p->g->s, p->raw[c], err));
    p->map[c] = covey_i_array(p->raw[c]->n_values, sizeof **p->map);
    p->hash[c] = covey_i_array(p->raw[c]->n_values, sizeof **p->hash);
    return p->map[c] && p->hash[c] ? count_column(p, c, err) : no_memory(err);
}

#define DEFINE_MIX(name, type)                                                                                                             \
    static void name(uint64_t *hash, const type *codes, int64_t n, const uint64_t *of_value, size_t c)                                     \
    {                                                                                                                                      \
        for (int64_t row = 0; row < n; row++)                                                                                              \
            hash[row] = covey_i_mix(hash[row] + c + 1, of_value[codes[row]]);                                                              \
    }

DEFINE_MIX(mix_u8, uint8_t)
DEFINE_MIX(mix_u16, uint16_t)
DEFINE_MIX(mix_u32, uint32_t)

/* The hashes of a slice's rows. */
static covey_status hash_rows(void *context, size_t slice, covey_error *err)
{
    const struct piece *p = context;
    const int64_t begin = (int64_t)slice * SLICE, n = p->n - begin < SLICE ? p->n - begin : SLICE;
    uint64_t *hash = p->g->hash + begin;

    memset(hash, 0, (size_t)n * sizeof *hash);
    for (size_t c = 0; c < p->g->n_columns; c++)
        if (p->raw[c]->width == 1)
            mix_u8(hash, (const uint8_t *)p->raw[c]->codes + begin, n, p->hash[c], c);
        else if (p->raw[c]->width == 2)
            mix_u16(hash, (const uint16_t *)p->raw[c]->codes + begin, n, p->hash[c], c);
        else
            mix_u32(hash, (const uint32_t *)p->raw[c]->codes + begin, n, p->hash[c], c);
    return COVEY_OK;
}

/* --- the sample --- */

static int compare_entries(const void *a, const void *b, void *context)
{
    const struct entry *entry = context, *x = &entry[*(const uint32_t *)a], *y = &entry[*(const uint32_t *)b];

    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* Sorts the entries, joins equal ones, and keeps the smallest. */
static covey_status compact(covey_gathered *g, covey_error *err)
{
    const size_t d = g->n_quasi;
    uint32_t *order = covey_i_array(g->n_entries, sizeof *order), *code = covey_i_array((size_t)SAMPLE * d, sizeof *code);
    struct entry *entry = covey_i_array(SAMPLE, sizeof *entry);
    size_t n = 0;

    if (!order || !code || !entry) {
        covey_i_free(order);
        covey_i_free(code);
        covey_i_free(entry);
        return no_memory(err);
    }
    for (uint32_t i = 0; i < g->n_entries; i++)
        order[i] = i;
    qsort_r(order, g->n_entries, sizeof *order, compare_entries, g->entry);
    for (size_t i = 0; i < g->n_entries; i++) {
        const struct entry *next = &g->entry[order[i]];

        if (n > 0 && entry[n - 1].hash == next->hash) {
            entry[n - 1].count += next->count;
            continue;
        }
        if (n == SAMPLE) {
            g->threshold = entry[n - 1].hash + 1;
            break;
        }
        entry[n] = *next;
        memcpy(code + n * d, g->code + order[i] * d, d * sizeof *code);
        n++;
    }
    memcpy(g->entry, entry, n * sizeof *entry);
    memcpy(g->code, code, n * d * sizeof *code);
    g->n_entries = n;
    covey_i_free(order);
    covey_i_free(code);
    covey_i_free(entry);
    return COVEY_OK;
}

static covey_status add_rows(covey_gathered *g, const covey_column *const *raw, uint32_t *const *map, int64_t n_rows, covey_error *err)
{
    for (int64_t row = 0; row < n_rows; row++) {
        if (g->hash[row] >= g->threshold)
            continue;
        if (g->n_entries == MOST_ENTRIES)
            COVEY_TRY(compact(g, err));
        g->entry[g->n_entries] = (struct entry){g->hash[row], 1};
        for (size_t q = 0; q < g->n_quasi; q++)
            g->code[g->n_entries * g->n_quasi + q] = map[g->quasi[q]][covey_i_code(raw[g->quasi[q]], row)];
        g->n_entries++;
    }
    return COVEY_OK;
}

/* --- pieces --- */

static covey_status gather_columns(struct piece *p, covey_error *err)
{
    covey_gathered *g = p->g;
    const int n_threads = covey_run_threads(g->s->run);

    if ((size_t)p->n > g->hash_capacity) {
        covey_i_free(g->hash);
        g->hash_capacity = 0;
        if (!(g->hash = covey_i_array((size_t)p->n, sizeof *g->hash)))
            return no_memory(err);
        g->hash_capacity = (size_t)p->n;
    }
    COVEY_TRY(covey_i_parallel(n_threads, g->n_columns, take_column, p, err));
    COVEY_TRY(covey_i_parallel(n_threads, ((size_t)p->n + SLICE - 1) / SLICE, hash_rows, p, err));
    return add_rows(g, p->raw, p->map, p->n, err);
}

static void clear_piece(struct piece *p)
{
    for (size_t c = 0; c < p->g->n_columns; c++) {
        if (p->picked)
            covey_i_column_free(p->picked[c]);
        if (p->map)
            covey_i_free(p->map[c]);
        if (p->hash)
            covey_i_free(p->hash[c]);
    }
    covey_i_free(p->raw);
    covey_i_free(p->picked);
    covey_i_free(p->map);
    covey_i_free(p->hash);
    covey_i_free(p->kept);
}

static covey_status gather_piece(covey_gathered *g, covey_error *err)
{
    struct piece p = {.g = g};
    covey_status status;

    p.raw = covey_i_array_zero(g->n_columns, sizeof *p.raw);
    p.picked = covey_i_array_zero(g->n_columns, sizeof *p.picked);
    p.map = covey_i_array_zero(g->n_columns, sizeof *p.map);
    p.hash = covey_i_array_zero(g->n_columns, sizeof *p.hash);
    status = p.raw && p.picked && p.map && p.hash ? covey_i_preparing_kept_rows(&p.kept, &p.n, g->s, err) : no_memory(err);
    if (status == COVEY_OK && (status = gather_columns(&p, err)) == COVEY_OK)
        g->plan->n_rows += p.n;
    clear_piece(&p);
    return status;
}

static size_t bytes_of(const struct values *v)
{
    return v->dictionary.text_capacity + v->dictionary.start_capacity * sizeof(uint64_t) + v->capacity * 2 * sizeof(int64_t) +
           (sizeof(covey_dictionary_slot) << (64 - v->dictionary.shift));
}

/* Dictionaries must stay in memory all the time. */
static covey_status check_size(const covey_gathered *g, const covey_plan *plan, size_t most_bytes, covey_error *err)
{
    const char *name;
    size_t all = 0, largest = 0;

    for (size_t c = 0; c < g->n_columns; c++) {
        all += bytes_of(&g->values[c]);
        largest = bytes_of(&g->values[c]) > bytes_of(&g->values[largest]) ? c : largest;
    }
    if (all <= most_bytes)
        return COVEY_OK;
    name = covey_table_column(g->s->p->table, largest)->name;
    return covey_fail_at(err, COVEY_EINVAL, plan->policy->input_path, 0, name, 0,
                         "the different values of the columns do not fit into the memory limit: \"%s\" alone has more than %" PRIu32
                         "; raise the limit, or leave the column out (role: identifier)",
                         name, g->values[largest].dictionary.n);
}

/* --- the end --- */

struct ordering {
    const covey_dictionary *dictionary;
};

static int compare_texts(const void *a, const void *b, void *context)
{
    const covey_dictionary *d = ((const struct ordering *)context)->dictionary;
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const size_t size_x = covey_i_dictionary_size(d, x), size_y = covey_i_dictionary_size(d, y);
    const int order = memcmp(covey_i_dictionary_text(d, x), covey_i_dictionary_text(d, y), size_x < size_y ? size_x : size_y);

    return order ? order : size_x < size_y ? -1 : size_x > size_y;
}

/* One column's values in order, with their counts. */
static covey_status finish_column(covey_gathered *g, size_t c, const char *name, covey_error *err)
{
    struct values *v = &g->values[c];
    const bool has_null = v->count && v->count[0] > 0;
    const uint32_t n_texts = v->dictionary.n, n = n_texts + has_null;
    uint32_t *order = covey_i_array(n_texts, sizeof *order);
    covey_label *label = covey_i_array(n, sizeof *label);
    int64_t *line = covey_i_array(n, sizeof *line), *count = covey_arena_array(&g->plan->arena, int64_t, n);
    struct ordering ordering = {&v->dictionary};
    covey_status status = COVEY_OK;
    bool says_null = false;

    v->place = covey_arena_array(&g->arena, uint32_t, (size_t)n_texts + 1);
    if (!order || !label || !line || !count || !v->place) {
        status = no_memory(err);
        goto done;
    }
    for (uint32_t i = 0; i < n_texts; i++)
        order[i] = i;
    qsort_r(order, n_texts, sizeof *order, compare_texts, &ordering);
    v->place[0] = 0;
    if (has_null) {
        label[0] = (covey_label){"null", 4};
        count[0] = v->count[0];
        line[0] = v->line[0];
    }
    for (uint32_t i = 0; i < n_texts; i++) {
        const uint32_t code = order[i], at = i + has_null;

        label[at] = (covey_label){covey_i_dictionary_text(&v->dictionary, code), covey_i_dictionary_size(&v->dictionary, code)};
        says_null |= label[at].size == 4 && memcmp(label[at].text, "null", 4) == 0;
        count[at] = v->count[code + 1];
        line[at] = v->line[code + 1];
        v->place[code + 1] = at;
    }
    if (has_null && says_null)
        status = covey_fail_at(err, COVEY_EPARSE, g->plan->policy->input_path, 0, name, 0,
                               "column \"%s\": has both missing cells and the text \"null\", which would look the same in a release; "
                               "add \"null\" to input.null",
                               name);
    else
        status = covey_i_plan_value_column(&g->plan->value[c], name, label, n, has_null, line, err);
    g->plan->count[c] = count;
done:
    covey_i_free(order);
    covey_i_free(label);
    covey_i_free(line);
    return status;
}

static covey_status finish(covey_gathered *g, const char *const *name, covey_error *err)
{
    covey_plan *plan = g->plan;

    plan->n_columns = g->n_columns;
    plan->value = covey_arena_array_zero(&plan->arena, covey_column *, g->n_columns);
    plan->count = covey_arena_array_zero(&plan->arena, int64_t *, g->n_columns);
    if (!plan->value || !plan->count)
        return no_memory(err);
    for (size_t c = 0; c < g->n_columns; c++) {
        COVEY_TRY(finish_column(g, c, name[c], err));
        covey_i_free(g->values[c].count);
        covey_i_free(g->values[c].line);
        g->values[c].count = g->values[c].line = NULL;
        covey_i_dictionary_free(&g->values[c].dictionary);
        g->values[c].dictionary = (covey_dictionary){0};
    }
    return COVEY_OK;
}

/* The names of the columns outlive the first piece. */
static covey_status keep_names(const char ***out, covey_gathered *g, covey_error *err)
{
    const char **name = covey_arena_array(&g->arena, const char *, g->n_columns);

    for (size_t c = 0; name && c < g->n_columns; c++)
        if (!(name[c] = covey_arena_strdup(&g->arena, covey_table_column(g->s->p->table, c)->name)))
            return no_memory(err);
    *out = name;
    return name ? COVEY_OK : no_memory(err);
}

static covey_status gather_all(covey_gathered *g, covey_csv_stream *stream, size_t most_bytes, covey_error *err)
{
    covey_preparing *s = g->s;
    const char **name = NULL;
    int64_t n_read = 0;

    while (true) {
        covey_status status;

        COVEY_TRY(covey_i_csv_stream_next(&s->p->table, stream, err));
        if (!s->p->table)
            break;
        if (!name) {
            COVEY_TRY(covey_i_preparing_columns(s, err));
            COVEY_TRY(start(g, err));
            COVEY_TRY(keep_names(&name, g, err));
        }
        n_read += covey_table_n_rows(s->p->table);
        if ((status = gather_piece(g, err)) == COVEY_OK)
            status = check_size(g, g->plan, most_bytes, err);
        if (status != COVEY_OK && err && err->row > 0 && !*err->file)
            snprintf(err->file, sizeof err->file, "%s", s->policy->input_path);
        covey_table_free(s->p->table);
        s->p->table = NULL;
        COVEY_TRY(status);
    }
    if (n_read == 0)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 1, NULL, 0, "there is a header, but not a single row: nothing to publish");
    if (g->plan->n_rows == 0)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 0, NULL, 0, "every row has a missing value and was dropped: nothing to publish");
    if (g->plan->n_rows >= UINT32_MAX)
        return covey_fail_at(err, COVEY_EPARSE, s->policy->input_path, 0, NULL, 0, "has %" PRId64 " rows; the most is 4294967294; split the table",
                             g->plan->n_rows);
    return finish(g, name, err);
}

covey_status covey_i_gather(covey_gathered **out, covey_plan *plan, covey_preparing *s, covey_csv_stream *stream, size_t most_bytes,
                            covey_error *err)
{
    covey_gathered *g = covey_i_array_zero(1, sizeof *g);
    covey_status status;

    if (!g)
        return no_memory(err);
    g->plan = plan;
    g->s = s;
    if ((status = gather_all(g, stream, most_bytes, err)) == COVEY_OK)
        *out = g;
    else
        covey_i_gathered_free(g);
    return status;
}

covey_status covey_i_gathered_sample(covey_plan_sample *out, covey_gathered *g, covey_error *err)
{
    int64_t *count;

    COVEY_TRY(compact(g, err));
    if (!(count = covey_arena_array(&g->arena, int64_t, g->n_entries)))
        return no_memory(err);
    for (size_t i = 0; i < g->n_entries; i++) {
        count[i] = g->entry[i].count;
        for (size_t q = 0; q < g->n_quasi; q++)
            g->code[i * g->n_quasi + q] = g->values[g->quasi[q]].place[g->code[i * g->n_quasi + q]];
    }
    *out = (covey_plan_sample){.n = g->n_entries, .n_axes = g->n_quasi, .count = count, .value = g->code};
    return COVEY_OK;
}

void covey_i_gathered_free(covey_gathered *g)
{
    if (!g)
        return;
    for (size_t c = 0; g->values && c < g->n_columns; c++) {
        covey_i_dictionary_free(&g->values[c].dictionary);
        covey_i_free(g->values[c].count);
        covey_i_free(g->values[c].line);
    }
    covey_i_free(g->hash);
    covey_arena_free(&g->arena);
    covey_i_free(g);
}
