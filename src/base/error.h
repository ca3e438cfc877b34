/* Errors on their way up: whoever finds a fault writes the message, whoever knows more of its place adds that. */
#ifndef COVEY_BASE_ERROR_H
#define COVEY_BASE_ERROR_H

#include <covey/base.h>

/* Says which parameter of a model or method a failure is about, unless it says so already; returns status. */
covey_status covey_i_error_about(covey_status status, const char *parameter, covey_error *err);

/* Fails with COVEY_ENOMEM. */
covey_status covey_i_no_memory(covey_error *err);

/* Fails with COVEY_EINVAL about a parameter. */
covey_status covey_i_refuse_param(covey_error *err, const char *parameter, const char *fmt, ...) COVEY_PRINTF(3, 4);

/* Puts words in front of a message; all else stays. */
void covey_i_error_put_in_front(covey_error *err, const char *fmt, ...) COVEY_PRINTF(2, 3);

/* Gives an error the place that covey_fail_at would have given it, unless it names a file already. */
void covey_i_error_place(covey_error *err, const char *file, int64_t row, int64_t column_number);

/* Says which file and column (NULL: none) an error is about whose message names them already, unless it says so;
 * returns status. */
covey_status covey_i_error_names(covey_status status, const char *file, const char *column, covey_error *err);

/* Names the file of an error that has a line of it and no name; others stay as they are. */
void covey_i_error_place_line(covey_error *err, const char *file);

#endif
