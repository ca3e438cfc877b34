/* The form of docs/adding-a-form.md, the half that writes: how many rows each class has, and nothing else. */
#include "examples/examples.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "release/sheet/sheet.h"

/* Several threads append lines at once, each to a text of its own. */
static covey_status add_lines(covey_text *out, const void *context, uint32_t begin, uint32_t end, covey_error *err)
{
    const covey_release *release = context;

    for (uint32_t c = begin; c < end; c++)
        covey_i_text_add_format(out, "%" PRIu32 ",%" PRIu32 "\n", release->first_class + c + 1,
                                release->class_start[c + 1] - release->class_start[c]);
    return COVEY_OK;
}

static covey_status write_sizes(const covey_release *release, const covey_problem *problem, const char *folder,
                                covey_files *files, const covey_run *run, covey_error *err)
{
    const covey_sheet sheet = {.name = "sizes.csv",
                               .header = "class,rows\n",
                               .n_groups = release->n_classes,
                               .lines = add_lines,
                               .context = release};

    return covey_i_sheet_write(&sheet, folder, files, run, err);
}

static bool reserves(const char *name, covey_role role)
{
    return strcmp(name, "class") == 0 || strcmp(name, "rows") == 0;
}

const covey_form covey_form_sizes = {
    .name = "sizes",
    .unit = "class",
    .faithful = "Every class has as many rows as in the original.",
    .write = write_sizes,
    .reserves = reserves,
};
