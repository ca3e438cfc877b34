#include "support/release/waves.h"

#include "test.h"

#include <string.h>

#include "support/csvs.h"
#include "support/job/publish.h"

static void publish_wave(int number, const char *name, const char *rows)
{
    char text[512], table[16], ledger[1024], first[1024];
    const char *const previous = first;
    const covey_anonymize_options options = {.ledger = ledger, .n_previous = (size_t)number - 1, .previous = &previous};
    const covey_run run = {.n_threads = 1, .has_seed = true, .seed = 1};

    snprintf(ledger, sizeof ledger, "%s", csv_path("ledger.csv"));
    snprintf(first, sizeof first, "%s", csv_path("first"));
    snprintf(table, sizeof table, "wave-%d.csv", number);
    csv_put_file(csv_path(table), rows, strlen(rows));
    snprintf(text, sizeof text,
             "version: 1\ninput: {path: %s}\nattributes:\n  - {name: who, role: entity}\n"
             "  - {name: age, role: quasi-identifier}\n  - {name: s, role: sensitive}\n"
             "method: m-invariance\nprivacy:\n  - {model: m-invariance, m: 2}\n",
             table);
    assert_true(publish_policy(name, text, name, &options, &run));
}

void waves_publish(void)
{
    publish_wave(1, "first", "who,age,s\np1,1,v1\np2,1,v2\np3,2,v1\np4,3,v2\n");
    publish_wave(2, "second", "who,age,s\np1,1,v1\np3,2,v1\np4,3,v2\n");
}
