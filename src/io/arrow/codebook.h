/* What the file of a table says of its columns beside their values, as it stands in the metadata of Arrow fields. */
#ifndef COVEY_IO_ARROW_CODEBOOK_H
#define COVEY_IO_ARROW_CODEBOOK_H

#include <covey/arrow.h>

/* The codebook of a table (table/table_impl.h), for covey_i_free; *out stays NULL where the schema says nothing. */
covey_status covey_i_arrow_codebook(char **out, const struct ArrowSchema *schema, covey_error *err);

#endif
