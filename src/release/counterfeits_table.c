/* Counts the made-up rows of each class, and writes counterfeits.csv. */
#include "release/counterfeits_table.h"

#include <inttypes.h>

#include "base/error.h"
#include "base/file/outfile.h"
#include "base/text.h"
#include "release/made_up.h"

bool covey_i_counterfeits_table_is_wanted(const covey_promises *promises)
{
    return covey_i_promises_any_traits(promises) & COVEY_MODEL_INVARIANT;
}

static covey_status write_lines(covey_outfile *out, const covey_release *release, covey_error *err)
{
    const uint32_t n_own = release->n_rows - covey_i_release_n_made_up(release);
    covey_text line = COVEY_TEXT_INIT;

    covey_i_outfile_string(out, "class,count\n");
    for (uint32_t c = 0; c < release->n_classes && !line.broken; c++) {
        uint32_t n = 0;

        for (uint32_t i = release->class_start[c]; i < release->class_start[c + 1]; i++)
            n += release->row_order[i] >= n_own;
        covey_i_text_clear(&line);
        covey_i_text_add_format(&line, "%" PRIu32 ",%" PRIu32 "\n", c + 1, n);
        if (!line.broken)
            covey_i_outfile_write(out, line.bytes, line.size);
    }
    covey_i_text_free(&line);
    return line.broken ? covey_i_no_memory(err) : COVEY_OK;
}

covey_status covey_i_counterfeits_table_write(const covey_release *release, const char *folder, covey_files *files,
                                              covey_error *err)
{
    covey_text path = COVEY_TEXT_INIT;
    covey_outfile *out = NULL;
    covey_status status;

    covey_i_text_add_format(&path, "%s/" COVEY_COUNTERFEITS_TABLE, folder);
    status = path.broken ? covey_i_no_memory(err) : covey_i_outfile_open(&out, path.bytes, err);
    covey_i_text_free(&path);
    if (status != COVEY_OK)
        return status;
    if ((status = write_lines(out, release, err)) != COVEY_OK) {
        covey_i_outfile_abort(out);
        return status;
    }
    COVEY_TRY(covey_i_outfile_close(out, err));
    return covey_i_files_add(files, COVEY_COUNTERFEITS_TABLE, release->n_classes, err);
}
