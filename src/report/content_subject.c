/* What a report is about: which release, how it was made, and when the report was. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "report/facts.h"
#include "report/page.h"

/* The day, in UTC; SOURCE_DATE_EPOCH gives another one, for pages that must come out alike. */
static const char *today(char out[16])
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    const time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm day;

    if (!gmtime_r(&now, &day) || !strftime(out, 16, "%Y-%m-%d", &day))
        out[0] = '\0';
    return out;
}

void covey_i_facts_tell_subject(covey_page *page, const covey_facts *f)
{
    char rows[COVEY_COUNT_SIZE], day[16];

    covey_i_page_subject(page, "%s%s%s%s%s%s rows, %zu columns; %s by %s. Report of %s.", f->folder ? "Release " : "",
                         f->folder ? f->folder : "", f->table ? " of " : "", f->table ? f->table : "",
                         f->folder || f->table ? ": " : "", covey_i_facts_digits(rows, f->stated->n_published),
                         f->stated->n_columns, f->stated->form, f->stated->method, today(day));
}
