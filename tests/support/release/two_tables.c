/* Writing a small release in two tables. */
#include "support/release/two_tables.h"

void two_tables(release_folder *r)
{
    release_begin(r);
    release_original(r, "age,city,note,pay\n20,A,x,10\n25,A,x,20.5\n30,B,y,10\n30,B,x,20.5\n40,,x,30\n");
    release_put(r, "quasi.csv", "group,age,city,note\n1,20,A,x\n1,25,A,x\n2,30,B,x\n2,30,B,y\n2,40,,x\n");
    release_put(r, "sensitive.csv", "group,pay,count\n1,10,1\n1,20.5,1\n2,10,1\n2,20.5,1\n2,30,1\n");
    release_put(
        r, "help.csv",
        "group,hits,sum_lower,sum_upper,min_lower,min_upper,max_lower,max_upper\n"
        "1,1,10.0,20.5,10.0,20.5,10.0,20.5\n1,2,30.5,30.5,10.0,10.0,20.5,20.5\n"
        "2,1,10.0,30.0,10.0,30.0,10.0,30.0\n2,2,30.5,50.5,10.0,20.5,20.5,30.0\n2,3,60.5,60.5,10.0,10.0,30.0,30.0\n");
    release_state(
        r,
        "{'format_version': 1, 'tool': {'name': 'covey', 'version': '0'}, 'form': 'bucketized',"
        " 'method': {'name': 'anatomy', 'parameters': {'qi-aware': 'false'}},"
        " 'rows': 5, 'published_rows': 5, 'suppressed_rows': 0, 'dropped_rows': 0, 'classes': 2,"
        " 'promises': [{'model': 'probabilistic-l-diversity', 'attribute': 'pay', 'parameters': {'l': '2'}, "
        "'threshold': 2,"
        "               'achieved': '2', 'achieved_value': 2.0, 'holds': true}],"
        " 'columns': [{'name': 'age', 'role': 'quasi-identifier', 'type': 'integer', 'publish': 'value', 'weight': "
        "'1/2', 'ail': 0.0},"
        "             {'name': 'city', 'role': 'quasi-identifier', 'type': 'text', 'publish': 'value', 'weight': "
        "'1/2', 'ail': 0.0},"
        "             {'name': 'note', 'role': 'insensitive', 'type': 'text', 'publish': 'value', 'has_missing': "
        "false},"
        "             {'name': 'pay', 'role': 'sensitive', 'type': 'decimal', 'publish': 'value', 'has_missing': "
        "false}],"
        " 'objective': {'name': 'ail', 'value': 0.0, 'lower_bound': null, 'optimal': false}, 'group_order': 'content',"
        " 'utility': {'ail': 0.0, 'ncp': 0.0, 'discernibility': 13, 'average_class_size': 2.5, 'largest_risk': null,"
        "             'mean_risk': null}}");
}
