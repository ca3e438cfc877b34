/* Names of tables that are near a wrong one. */
#include "io/database/near_table.h"

enum { MOST_NAMES = 8 };

covey_status covey_i_database_no_such_table(const covey_database *database, const char *const *names, size_t n,
                                            covey_error *err)
{
    const char *near = covey_nearest_name(database->table, names, n);
    covey_text all = COVEY_TEXT_INIT;
    covey_status status;

    for (size_t i = 0; i < n && n <= MOST_NAMES; i++)
        covey_i_text_add_format(&all, "%s%s", i ? ", " : "", names[i]);
    if (near)
        status = covey_fail_at(err, COVEY_ENOTFOUND, database->shown, 0, NULL, 0,
                               "there is no table or view \"%s\"; did you mean \"%s\"?", database->table, near);
    else
        status =
            covey_fail_at(err, COVEY_ENOTFOUND, database->shown, 0, NULL, 0, "there is no table or view \"%s\"%s%s",
                          database->table, all.size ? "; there are: " : "", all.size ? all.bytes : "");
    covey_i_text_free(&all);
    return status;
}
