/* Data in memory: taken from a stream, kept under a name.
 *
 * The names are the one thing in the library that a whole process shares: a path is all that most calls take of a
 * table, and so the data are reached from each of them, now and in the future. */
#include "io/arrow/data.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/run.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static covey_arrow_data *all;
static int64_t n_named;

covey_arrow_data *covey_i_arrow_data_share(const char *source)
{
    covey_arrow_data *data;

    pthread_mutex_lock(&lock);
    for (data = all; data && strcmp(data->source, source) != 0; data = data->next)
        ;
    if (data)
        data->references++;
    pthread_mutex_unlock(&lock);
    return data;
}

static void release_data(covey_arrow_data *data)
{
    for (size_t i = 0; i < data->n_batches; i++)
        if (data->batch[i].release)
            data->batch[i].release(&data->batch[i]);
    if (data->schema.release)
        data->schema.release(&data->schema);
    covey_i_free(data->batch);
    covey_i_free(data);
}

void covey_arrow_data_free(covey_arrow_data *data)
{
    bool is_last;

    if (!data)
        return;
    pthread_mutex_lock(&lock);
    is_last = --data->references == 0;
    for (covey_arrow_data **at = &all; is_last && *at; at = &(*at)->next)
        if (*at == data) {
            *at = data->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    if (is_last) /* what the producer does then is its own business, and may take another lock */
        release_data(data);
}

static void give_name(covey_arrow_data *data)
{
    pthread_mutex_lock(&lock);
    snprintf(data->source, sizeof data->source, "arrow:%" PRId64, ++n_named);
    data->shown = data->source;
    data->references = 1;
    data->next = all;
    all = data;
    pthread_mutex_unlock(&lock);
}

static covey_status complain_of_stream(struct ArrowArrayStream *stream, int code, covey_error *err)
{
    const char *said = stream->get_last_error(stream);

    if (code == ENOMEM)
        return covey_i_no_memory(err);
    return covey_fail(err, COVEY_EIO, "the stream of data failed: %s", said && *said ? said : strerror(code));
}

static bool has_place(covey_arrow_data *data)
{
    const size_t capacity = data->capacity ? 2 * data->capacity : 16;
    struct ArrowArray *batch;

    if (data->n_batches < data->capacity)
        return true;
    if (!(batch = covey_i_realloc(data->batch, capacity, sizeof *batch)))
        return false;
    data->batch = batch;
    data->capacity = capacity;
    return true;
}

static covey_status fetch_schema(covey_arrow_data *data, struct ArrowArrayStream *stream, covey_error *err)
{
    const int code = stream->get_schema(stream, &data->schema);

    if (code) {
        data->schema.release = NULL;
        return complain_of_stream(stream, code, err);
    }
    if (strcmp(data->schema.format, "+s") != 0 || data->schema.dictionary)
        return covey_fail(err, COVEY_EINVAL,
                          "a single column is no table: hand over a table, or a frame with this column");
    return COVEY_OK;
}

/* One more batch; *more is false at the end. */
static covey_status fetch_batch(bool *more, covey_arrow_data *data, struct ArrowArrayStream *stream, covey_error *err)
{
    struct ArrowArray *batch;
    int code;

    if (!has_place(data))
        return covey_i_no_memory(err);
    batch = &data->batch[data->n_batches];
    *batch = (struct ArrowArray){0};
    if ((code = stream->get_next(stream, batch)))
        return complain_of_stream(stream, code, err);
    if (!(*more = batch->release != NULL))
        return COVEY_OK;
    data->n_batches++;
    data->n_rows += batch->length;
    if (batch->n_children != data->schema.n_children)
        return covey_fail(err, COVEY_EINVAL,
                          "a batch of the stream has %" PRId64 " columns where its schema has %" PRId64,
                          batch->n_children, data->schema.n_children);
    if (data->n_rows > UINT32_MAX)
        return covey_fail(err, COVEY_EINVAL, "the table has more than 4294967295 rows; split it");
    return COVEY_OK;
}

covey_status covey_arrow_data_new(covey_arrow_data **out, struct ArrowArrayStream *stream, const covey_run *run,
                                  covey_error *err)
{
    covey_arrow_data *data = covey_i_array_zero(1, sizeof *data);
    covey_status status = data ? fetch_schema(data, stream, err) : covey_i_no_memory(err);
    bool more = status == COVEY_OK;

    while (more && status == COVEY_OK) {
        status = fetch_batch(&more, data, stream, err);
        if (status == COVEY_OK)
            status = covey_i_run_goes_on(run, "fetching", data->n_rows, 0, err);
    }
    if (stream->release)
        stream->release(stream);
    if (status == COVEY_OK) {
        give_name(data);
        *out = data;
    } else if (data) {
        release_data(data);
    }
    return status;
}

const char *covey_arrow_data_source(const covey_arrow_data *data)
{
    return data->source;
}

int64_t covey_arrow_data_n_rows(const covey_arrow_data *data)
{
    return data->n_rows;
}

size_t covey_arrow_data_n_columns(const covey_arrow_data *data)
{
    return (size_t)data->schema.n_children;
}
