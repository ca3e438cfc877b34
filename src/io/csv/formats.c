/* CSV files as formats: plain and compressed. */
#include "io/format_impl.h"

const covey_format_impl covey_i_format_csv = {
    .facts = {.name = "csv",
              .summary = "comma-separated values in UTF-8; reading guesses among , ; TAB and |",
              .source = "RFC 4180",
              .reads = true,
              .writes = true,
              .is_built = true},
};

const covey_format_impl covey_i_format_csv_gz = {
    .facts = {.name = "csv.gz",
              .summary = "the same, compressed with gzip; reading tells it from the content, not from the name",
              .source = "RFC 1952",
              .reads = true,
              .writes = true,
              .is_built = true},
};

const covey_format_impl covey_i_format_csv_zst = {
    .facts = {.name = "csv.zst",
              .summary = "the same, compressed with Zstandard; reading tells it from the content, not from the name",
              .source = "RFC 8878",
              .reads = true,
              .writes = true,
              .is_built = true},
};
