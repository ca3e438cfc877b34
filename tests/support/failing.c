/* Letting allocations fail one after the other. */
#include "test.h"

#include "support/failing.h"

#include "support/folder.h"
#include "base/alloc.h"

enum { USUAL_ALL_OF = 250, USUAL_THIN = 50 };

bool failing_next(failing *f)
{
    const int64_t all_of = test_is_thorough() ? INT64_MAX : f->all_of ? f->all_of : USUAL_ALL_OF;

    if (f->is_done) {
        if (f->n <= f->least)
            fail_msg("%s: no more than %lld allocations", f->what ? f->what : "this", (long long)f->n);
        return false;
    }
    if (f->folder && f->n == 0)
        f->n_entries = folder_entries(f->folder);
    f->n += f->n < all_of ? 1 : f->n / (f->thin ? f->thin : USUAL_THIN);
    f->err = (covey_error){COVEY_OK};
    covey_i_alloc_fail_at(f->n);
    return true;
}

void failing_ends(failing *f, covey_status status)
{
    covey_i_alloc_fail_at(0);
    f->is_done = status == COVEY_OK;
    if (!f->is_done && (status != COVEY_ENOMEM || f->err.status != COVEY_ENOMEM))
        fail_msg("%s: allocation %lld: status %s, \"%s\"", f->what ? f->what : "this", (long long)f->n,
                 covey_status_name(status), f->err.message);
    if (!f->is_done && f->folder && folder_entries(f->folder) != f->n_entries)
        fail_msg("%s: allocation %lld left something behind", f->what ? f->what : "this", (long long)f->n);
}

void *failing_json(size_t size)
{
    return covey_i_malloc(size);
}
