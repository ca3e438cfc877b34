/* What targets that are databases share. */
#include "export/sink.h"

#include "base/run.h"
#include "io/database/sql_name.h"

enum { ROWS_PER_REPORT = 1 << 14 };

covey_status covey_i_sink_progress(const covey_run *run, const covey_export_table *table, int64_t row, covey_error *err)
{
    return row % ROWS_PER_REPORT == 0 ? covey_i_run_goes_on(run, "exporting", row, table->n_rows, err) : COVEY_OK;
}

void covey_i_sink_create(covey_text *sql, const covey_export_table *table,
                         const char *(*type_name)(const covey_export_column *column))
{
    covey_i_text_add_string(sql, "CREATE TABLE ");
    covey_i_sql_add_name(sql, table->name);
    for (size_t c = 0; c < table->n_columns; c++) {
        covey_i_text_add_string(sql, c ? ", " : " (");
        covey_i_sql_add_name(sql, table->column[c].name);
        covey_i_text_add_format(sql, " %s", type_name(&table->column[c]));
    }
    covey_i_text_add_string(sql, ")");
}

void covey_i_sink_index_name(covey_text *name, const covey_export_table *table, size_t key)
{
    covey_i_text_add_format(name, "%s_key_%zu", table->name, key + 1);
}
