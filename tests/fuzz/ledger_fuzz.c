/* Ledgers from strangers: any bytes as a ledger, whose seal is put right where there is a place for it, so that what
 * stands behind it is read, too.  Whatever it is, reading ends with a ledger whose numbers lie where its header says,
 * or with a reason in one line. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "kit.h"
#include "reader/ledger/ledger.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_seal(covey_text *text)
{
    const char *seal = covey_i_ledger_find_seal(text->bytes, text->size);
    char hex[COVEY_LEDGER_HEX + 1];

    if (seal && covey_i_ledger_seal(hex, text->bytes, text->size, NULL) == COVEY_OK)
        memcpy(text->bytes + (seal - text->bytes), hex, COVEY_LEDGER_HEX);
}

/* What whoever uses a ledger relies on. */
static void use(const covey_ledger *l)
{
    for (uint32_t s = 0; s < l->n_signatures; s++) {
        fuzz_require(l->start[s] < l->start[s + 1]);
        for (uint32_t i = l->start[s] + 1; i < l->start[s + 1]; i++)
            fuzz_require(strcmp(l->value[i - 1], l->value[i]) < 0);
    }
    for (uint32_t u = 0; u < l->n_units; u++) {
        const char *value = covey_i_ledger_value(l, u);
        bool is_there = false;

        fuzz_require(l->signature_of[u] < l->n_signatures);
        for (uint32_t i = l->start[l->signature_of[u]]; i < l->start[l->signature_of[u] + 1]; i++)
            is_there |= strcmp(l->value[i], value) == 0;
        fuzz_require(is_there && covey_i_ledger_unit(l, u));
        fuzz_require(u == 0 || strcmp(covey_i_ledger_unit(l, u - 1), covey_i_ledger_unit(l, u)) < 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    covey_text text = COVEY_TEXT_INIT;
    covey_ledger *ledger = NULL;
    covey_run run = {.n_threads = 1};
    covey_error err = {0};
    covey_status status;
    char path[256];

    covey_i_text_add(&text, (const char *)data, size);
    fuzz_require(!text.broken);
    if (text.bytes)
        put_seal(&text);
    fuzz_path(path, sizeof path, "ledger");
    fuzz_put(path, text.bytes ? text.bytes : "", text.size);
    status = covey_i_ledger_read(&ledger, path, &run, &err);
    fuzz_require(status == COVEY_OK || status == COVEY_EPARSE || status == COVEY_EINVAL);
    if (status == COVEY_OK)
        use(ledger);
    else
        fuzz_require(err.message[0] && !strchr(err.message, '\n'));
    covey_i_ledger_free(ledger);
    covey_i_text_free(&text);
    unlink(path);
    return 0;
}
