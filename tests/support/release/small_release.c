/* Writing a small generalized release. */
#include "support/release/small_release.h"

static const char original[] = "name,age,edu,city,disease,note\n"
                               "p,20,BA,A,flu,x\nq,25,MA,A,cold,x\nr,30,BA,B,flu,y\ns,39,HS,B,gout,y\n"
                               "t,40,HS,C,flu,x\nu,45,PhD,C,cold,x\nv,50,PhD,C,cold,y\nw,60,PhD,D,gout,z\n";

static const char table[] = "class,age,edu,city,disease,note\n"
                            "1,\"[20, 25]\",college,A,cold,x\n1,\"[20, 25]\",college,A,flu,x\n"
                            "2,\"[30, 39]\",*,B,flu,y\n2,\"[30, 39]\",*,B,gout,y\n"
                            "3,\"[40, 60]\",*,\"{C, D}\",cold,x\n3,\"[40, 60]\",*,\"{C, D}\",cold,y\n"
                            "3,\"[40, 60]\",*,\"{C, D}\",flu,x\n3,\"[40, 60]\",*,\"{C, D}\",gout,z\n";

static const char manifest[] =
    "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0.1.0'}, 'form': 'generalized',"
    " 'method': {'name': 'mondrian', 'parameters': {'cut': 'strict'}},"
    " 'rows': 8, 'published_rows': 8, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': 3, 'missing': [''],"
    " 'promises': ["
    "  {'model': 'k-anonymity', 'parameters': {'k': '2'}, 'threshold': 2, 'achieved': 2, 'achieved_value': 2.0, "
    "'holds': true},"
    "  {'model': 'basic-beta-likeness', 'attribute': 'disease', 'parameters': {'beta': '3/2'}, 'threshold': '3/2', "
    "'achieved': '1',"
    "   'achieved_value': 1.0, 'holds': true}],"
    " 'columns': ["
    "  {'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'range', 'weight': '1/3', 'domain': "
    "[20, 60],"
    "   'has_missing': false},"
    "  {'name': 'edu', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'label', 'weight': '1/3', 'hierarchy': "
    "'hierarchies/edu.csv',"
    "   'hierarchy_complete': true, 'has_missing': false},"
    "  {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'set', 'weight': '1/3', 'has_missing': "
    "false},"
    "  {'name': 'disease', 'role': 'sensitive', 'type': 'text', 'publish': 'value', 'has_missing': false},"
    "  {'name': 'note', 'role': 'insensitive', 'type': 'text', 'publish': 'value', 'has_missing': false}],"
    " 'prior': {'disease': {'cold': 3, 'flu': 3, 'gout': 2}},"
    " 'objective': {'name': 'ail', 'value': 0.57916666666666667, 'lower_bound': null, 'optimal': false},"
    " 'utility': {'ail': 0.57916666666666667, 'ncp': 0.57083333333333333, 'discernibility': 24, 'average_class_size': "
    "2.66666666666666667,"
    "  'largest_risk': 0.5, 'mean_risk': 0.375}}";

void small_release(release_folder *r)
{
    release_begin(r);
    release_original(r, original);
    release_put(r, "table.csv", table);
    release_put(r, "hierarchies/edu.csv", "BA;college;*\nMA;college;*\nPhD;college;*\nHS;school;*\nES;school;*\n");
    release_state(r, manifest);
    release_write(r);
}

/* Both classes show all of edu and city, and a person's rows the same of these. */
void shared_persons(release_folder *r)
{
    small_release(r);
    release_original(r, "name,age,edu,city,disease,note\n"
                        "a,22,BA,A,flu,x\nb,26,BA,A,flu,x\nb,28,BA,A,cold,x\nc,27,BA,A,flu,x\nc,29,BA,A,gout,x\n"
                        "d,26,BA,A,cold,x\ne,27,BA,A,gout,x\nf,33,BA,A,flu,x\n");
    release_put(r, "table.csv",
                "class,age,edu,city,disease,note\n"
                "1,\"[20, 30]\",BA,A,cold,x\n1,\"[20, 30]\",BA,A,flu,x\n1,\"[20, 30]\",BA,A,flu,x\n"
                "1,\"[20, 30]\",BA,A,gout,x\n2,\"[25, 35]\",BA,A,cold,x\n2,\"[25, 35]\",BA,A,flu,x\n"
                "2,\"[25, 35]\",BA,A,flu,x\n2,\"[25, 35]\",BA,A,gout,x\n");
    release_put(r, "units.csv", "class,units,largest\n1,3,2\n2,3,2\n");
    release_set(r, "entity", "{'households': false, 'units': 6}");
    release_set(r, "classes", "2");
    release_set(r, "promises",
                "[{'model': 'k-anonymity', 'parameters': {'k': '2'}, 'units': 'share', 'threshold': 2, 'achieved': 4,"
                " 'achieved_value': 4.0, 'holds': true}]");
    release_set(r, "prior", "{'disease': {'cold': 2, 'flu': 4, 'gout': 2}}");
    release_write(r);
}
