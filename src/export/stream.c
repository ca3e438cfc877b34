/* The Arrow C stream of one batch.  What is handed out owns its memory piece by piece, because a consumer may keep a
 * column and let the others go ("The Arrow C data interface", section "Moving child arrays"). */
#include "export/stream.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

struct stream {
    covey_stream_column *column; /* [n] whose buffers are gone when the batch was given */
    size_t n;
    int64_t n_rows;
    bool is_given;
};

static void clear_buffers(covey_stream_column *column)
{
    covey_i_free(column->validity);
    covey_i_free(column->values);
    covey_i_free(column->offsets);
    covey_i_free(column->labels);
    column->validity = column->values = column->offsets = NULL;
    column->labels = NULL;
}

void covey_i_stream_columns_free(covey_stream_column *column, size_t n)
{
    for (size_t i = 0; column && i < n; i++) {
        clear_buffers(&column[i]);
        covey_i_free(column[i].name);
    }
    covey_i_free(column);
}

/* ---- schemas ---- */

static void release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children && schema->children; i++) {
        struct ArrowSchema *child = schema->children[i];

        if (child && child->release)
            child->release(child);
        covey_i_free(child);
    }
    if (schema->dictionary) {
        if (schema->dictionary->release)
            schema->dictionary->release(schema->dictionary);
        covey_i_free(schema->dictionary);
    }
    covey_i_free(schema->children);
    covey_i_free((void *)(uintptr_t)schema->format);
    covey_i_free((void *)(uintptr_t)schema->name);
    schema->release = NULL;
}

static bool begin_schema(struct ArrowSchema *schema, const char *format, const char *name, int64_t flags)
{
    *schema = (struct ArrowSchema){
        .format = covey_i_strdup(format), .name = covey_i_strdup(name), .flags = flags, .release = release_schema};
    return schema->format && schema->name;
}

static bool make_column_schema(struct ArrowSchema *schema, const covey_stream_column *column)
{
    if (!begin_schema(schema, column->format, column->name, ARROW_FLAG_NULLABLE))
        return false;
    if (!column->offsets && column->n_labels == 0)
        return true;
    return (schema->dictionary = covey_i_array_zero(1, sizeof *schema->dictionary)) &&
           begin_schema(schema->dictionary, "u", "", 0);
}

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out)
{
    const struct stream *stream = self->private_data;
    bool done =
        begin_schema(out, "+s", "", 0) && (out->children = covey_i_array_zero(stream->n, sizeof *out->children));

    for (size_t i = 0; done && i < stream->n; i++) {
        done = (out->children[i] = covey_i_array_zero(1, sizeof **out->children)) != NULL;
        out->n_children++;
        done = done && make_column_schema(out->children[i], &stream->column[i]);
    }
    if (!done)
        release_schema(out);
    return done ? 0 : ENOMEM;
}

/* ---- arrays ---- */

static void release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_children && array->children; i++) {
        struct ArrowArray *child = array->children[i];

        if (child && child->release)
            child->release(child);
        covey_i_free(child);
    }
    if (array->dictionary) {
        if (array->dictionary->release)
            array->dictionary->release(array->dictionary);
        covey_i_free(array->dictionary);
    }
    for (int64_t i = 0; i < array->n_buffers && array->buffers; i++)
        covey_i_free((void *)(uintptr_t)array->buffers[i]);
    covey_i_free(array->buffers);
    covey_i_free(array->children);
    array->release = NULL;
}

static bool begin_array(struct ArrowArray *array, int64_t length, int64_t n_buffers)
{
    *array = (struct ArrowArray){.length = length, .n_buffers = n_buffers, .release = release_array};
    return (array->buffers = covey_i_array_zero((size_t)n_buffers, sizeof *array->buffers)) != NULL;
}

/* Buffers change hands as they get their place. */
static bool make_column_array(struct ArrowArray *array, covey_stream_column *column, int64_t n_rows)
{
    struct ArrowArray *dictionary;

    if (!begin_array(array, n_rows, 2))
        return false;
    array->null_count = column->n_null;
    array->buffers[0] = column->validity;
    array->buffers[1] = column->values;
    column->validity = column->values = NULL;
    if (!column->offsets)
        return true;
    if (!(dictionary = array->dictionary = covey_i_array_zero(1, sizeof *dictionary)) ||
        !begin_array(dictionary, column->n_labels, 3))
        return false;
    dictionary->buffers[1] = column->offsets;
    dictionary->buffers[2] = column->labels;
    column->offsets = NULL;
    column->labels = NULL;
    column->n_labels = -1; /* it is a dictionary still, for the schema */
    return true;
}

static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out)
{
    struct stream *stream = self->private_data;
    bool done;

    *out = (struct ArrowArray){0};
    if (stream->is_given)
        return 0;
    stream->is_given = true;
    done =
        begin_array(out, stream->n_rows, 1) && (out->children = covey_i_array_zero(stream->n, sizeof *out->children));
    for (size_t i = 0; done && i < stream->n; i++) {
        done = (out->children[i] = covey_i_array_zero(1, sizeof **out->children)) != NULL;
        out->n_children++;
        done = done && make_column_array(out->children[i], &stream->column[i], stream->n_rows);
    }
    if (!done)
        release_array(out);
    return done ? 0 : ENOMEM;
}

/* ---- the stream ---- */

static const char *get_last_error(struct ArrowArrayStream *self)
{
    (void)self;
    return "out of memory";
}

static void release_stream(struct ArrowArrayStream *self)
{
    struct stream *stream = self->private_data;

    covey_i_stream_columns_free(stream->column, stream->n);
    covey_i_free(stream);
    self->release = NULL;
}

covey_status covey_i_stream_make(struct ArrowArrayStream *out, covey_stream_column *column, size_t n, int64_t n_rows,
                                 covey_error *err)
{
    struct stream *stream = covey_i_array_zero(1, sizeof *stream);

    if (!stream) {
        covey_i_stream_columns_free(column, n);
        return covey_i_no_memory(err);
    }
    *stream = (struct stream){.column = column, .n = n, .n_rows = n_rows};
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = stream};
    return COVEY_OK;
}
