/* Writing small sliced releases, and putting their pieces together in every way. */
#include "test.h"

#include "support/release/sliced_world.h"

#include <string.h>

#include "base/text.h"

static void add_cell(covey_text *to, const sliced_world *w, const sliced_text *text, int attribute, int value)
{
    char cell[64];

    if (text->add_cell)
        text->add_cell(cell, sizeof cell, w, attribute, value);
    else
        snprintf(cell, sizeof cell, ",%s%d", text->names[attribute], value);
    covey_i_text_add_string(to, cell);
}

/* Which piece of a bucket comes first?  By their values, as releases have them. */
static bool comes_before(const int *p, const int *q, const int *attribute)
{
    while (*attribute >= 0 && p[*attribute] == q[*attribute])
        attribute++;
    return *attribute >= 0 ? p[*attribute] < q[*attribute] : p < q;
}

static void write_slice(release_folder *r, const sliced_world *w, const sliced_text *text, int slice)
{
    const int *attribute = w->schema->attribute[slice];
    covey_text table = COVEY_TEXT_INIT;
    char name[40];

    covey_i_text_add_string(&table, "bucket");
    for (const int *a = attribute; *a >= 0; a++)
        covey_i_text_add_format(&table, ",%s", text->names[*a]);
    covey_i_text_add_string(&table, "\n");
    for (int b = 0; b < w->n_buckets; b++)
        for (int place = 0; place < w->n_rows[b]; place++)
            for (int i = 0; i < w->n_rows[b]; i++) {
                int n_before = 0;

                for (int j = 0; j < w->n_rows[b]; j++)
                    n_before += j != i && comes_before(w->value[b][j], w->value[b][i], attribute);
                if (n_before != place)
                    continue;
                covey_i_text_add_format(&table, "%d", b + 1);
                for (const int *a = attribute; *a >= 0; a++)
                    add_cell(&table, w, text, *a, w->value[b][i][*a]);
                covey_i_text_add_string(&table, "\n");
            }
    snprintf(name, sizeof name, "column-%d.csv", slice + 1);
    release_put(r, name, table.bytes);
    covey_i_text_free(&table);
}

void sliced_write(release_folder *r, const sliced_world *w, const sliced_text *text)
{
    covey_text manifest = COVEY_TEXT_INIT;
    int n_rows = 0;

    release_begin(r);
    for (int b = 0; b < w->n_buckets; b++)
        n_rows += w->n_rows[b];
    for (int s = 0; s < w->schema->n_slices; s++)
        write_slice(r, w, text, s);
    covey_i_text_add_format(
        &manifest,
        "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'sliced', 'method': "
        "{'name': 'slicing', 'parameters': {}}, 'rows': %d, 'published_rows': %d, 'suppressed_rows': 0, "
        "'dropped_rows': 0, 'classes': %d, 'missing': [''], 'slices': %s, 'promises': [%s], 'columns': [%s], "
        "'objective': null, 'utility': {'ail': 0, 'ncp': 0, 'discernibility': null, 'average_class_size': 1.0, "
        "'largest_risk': null, 'mean_risk': null}}",
        n_rows, n_rows, w->n_buckets, w->schema->slices, text->promises ? text->promises : "", text->columns);
    release_state(r, manifest.bytes);
    covey_i_text_free(&manifest);
    release_write(r);
}

/* --- all tables --- */

struct joining {
    const sliced_world *w;
    int bucket, n;
    int row[SLICED_MOST_PIECES][SLICED_ATTRIBUTES]; /* as far as put together */
    bool has[SLICED_ATTRIBUTES];
    void (*visit)(void *context, const int (*row)[SLICED_ATTRIBUTES], int n);
    void *context;
};

static void put_slice(struct joining *k, int slice);

/* Gives the pieces of a slice to rows from i on. */
static void put_piece(struct joining *k, int slice, int i, unsigned used)
{
    const int *attribute = k->w->schema->attribute[slice];

    if (i == k->n) {
        bool had[SLICED_ATTRIBUTES];

        memcpy(had, k->has, sizeof had);
        for (const int *a = attribute; *a >= 0; a++)
            k->has[*a] = true;
        put_slice(k, slice + 1);
        memcpy(k->has, had, sizeof had);
        return;
    }
    for (int piece = 0; piece < k->n; piece++) {
        const int *value = k->w->value[k->bucket][piece];
        bool fits = !(used >> piece & 1);
        int kept[SLICED_ATTRIBUTES];

        for (const int *a = attribute; *a >= 0 && fits; a++)
            fits = !k->has[*a] || k->row[i][*a] == value[*a];
        if (!fits)
            continue;
        memcpy(kept, k->row[i], sizeof kept);
        for (const int *a = attribute; *a >= 0; a++)
            k->row[i][*a] = value[*a];
        put_piece(k, slice, i + 1, used | 1u << piece);
        memcpy(k->row[i], kept, sizeof kept);
    }
}

static void put_slice(struct joining *k, int slice)
{
    if (slice < k->w->schema->n_slices)
        put_piece(k, slice, 0, 0);
    else
        k->visit(k->context, (const int(*)[SLICED_ATTRIBUTES])k->row, k->n);
}

void sliced_tables(const sliced_world *w, int bucket,
                   void (*visit)(void *context, const int (*row)[SLICED_ATTRIBUTES], int n), void *context)
{
    struct joining k = {.w = w, .bucket = bucket, .n = w->n_rows[bucket], .visit = visit, .context = context};

    memcpy(k.row, w->value[bucket], sizeof k.row);
    for (const int *a = w->schema->attribute[0]; *a >= 0; a++)
        k.has[*a] = true;
    put_slice(&k, 1);
}
