/* What an Arrow column holds: its type, read from the schema's format string. */
#ifndef COVEY_IO_ARROW_FIELD_H
#define COVEY_IO_ARROW_FIELD_H

#include <covey/arrow.h>

typedef enum covey_arrow_kind {
    COVEY_ARROW_NULL,
    COVEY_ARROW_BOOL,
    COVEY_ARROW_INTEGER,
    COVEY_ARROW_UNSIGNED,
    COVEY_ARROW_FLOAT,
    COVEY_ARROW_DECIMAL,
    COVEY_ARROW_DATE, /* days, or milliseconds in 8 bytes */
    COVEY_ARROW_TIME,
    COVEY_ARROW_TIMESTAMP,
    COVEY_ARROW_TEXT, /* offsets of width bytes */
    COVEY_ARROW_VIEW,
    COVEY_ARROW_DICTIONARY, /* width and is_unsigned are those of its indices */
    COVEY_ARROW_RUNS        /* width is that of the ends of its runs */
} covey_arrow_kind;

typedef struct covey_arrow_field {
    covey_arrow_kind kind;
    int width;        /* bytes of a value, or of an offset */
    bool is_unsigned; /* indices of a dictionary */
    int scale;        /* decimals: digits behind the point, may be negative; times: of a second, 0, 3, 6 or 9 */
    bool has_zone;    /* timestamps: instants */
    const struct ArrowSchema *values; /* of a dictionary, or of runs */
} covey_arrow_field;

/* What the schema of a column says.  False for a type that a table cannot hold; *what then names it: "struct". */
bool covey_i_arrow_field(covey_arrow_field *out, const char **what, const struct ArrowSchema *schema);

/* Are its values numbers or days, or a dictionary's or runs of such? */
bool covey_i_arrow_field_is_typed(const covey_arrow_field *field);

#endif
