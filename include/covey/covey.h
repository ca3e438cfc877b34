/* Everything that libcovey offers. */
#ifndef COVEY_COVEY_H
#define COVEY_COVEY_H

#include <covey/arrow.h>
#include <covey/attack.h>
#include <covey/audit.h>
#include <covey/base.h>
#include <covey/compare.h>
#include <covey/export.h>
#include <covey/generate.h>
#include <covey/hierarchy.h>
#include <covey/inspect.h>
#include <covey/io.h>
#include <covey/job.h>
#include <covey/parts.h>
#include <covey/method.h>
#include <covey/model.h>
#include <covey/policy.h>
#include <covey/query.h>
#include <covey/release.h>
#include <covey/report.h>
#include <covey/reproduce.h>
#include <covey/table.h>
#include <covey/utility.h>

#endif
