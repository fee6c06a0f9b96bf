/* Tables as the programs of many makers write them: each has the same eight
 * values in one column. */
#include "tests.h"

#include "files/layouts.h"
#include "program.h"
#include "recording.h"

#include "base/text.h"
#include "data/table.h"

#include <math.h>
#include <string.h>

enum { ROWS = 8, WAYS = 20 };

static const double expected[ROWS] = {2.841, 2.993, 2.677, 2.045,
                                      1.392, 1.027, 1.123, 1.633};

enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

static darc_load_options o;
static darc_err err;

static void setup(void)
{
    darc_load_options_init(&o);
    darc_err_init(&err);
}

START_TEST(each_layout_opens)
{
    darc_table *t = NULL;
    const char *text = layouts[_i].text;
    darc_status status = recording_load(&t, text, strlen(text), &o, &err);
    ck_assert_msg(status == DARC_OK, "%s: %s", layouts[_i].maker, err.message);
    int s = darc_table_find(t, layouts[_i].signal);
    ck_assert_msg(s >= 0, "%s: no %s", layouts[_i].maker, layouts[_i].signal);
    ck_assert_str_eq(t->signal[s].unit, layouts[_i].unit);
    ck_assert_uint_eq(t->samples, ROWS);
    ck_assert_double_eq_tol(t->dt, layouts[_i].step, 1e-3 * t->dt);
    for (int k = 0; k < ROWS; k++)
        ck_assert_double_eq(t->signal[s].value[k], expected[k]);
    darc_table_free(t);
}
END_TEST

/* Harm the text in one of many ways: a line or a cell is lost, doubled, cut or
 * replaced. */
static void mutilate(darc_text_t out, const char *text, int way)
{
    const char *line[64], *end = text;
    int lines = 0;
    for (; *end != '\0'; lines++, end = strchr(end, '\n') + 1)
        line[lines] = end;
    line[lines] = end;
    int harmed = lines - 1 - way % 5;
    for (int i = 0; i < lines; i++) {
        size_t n = (size_t)(line[i + 1] - line[i]);
        const char *last = line[i] + strcspn(line[i], ",;\t \n");
        if (i != harmed)
            darc_text_write(out, line[i], n);
        else if (way / 5 == 0) /* the line is lost in part */
            darc_text_printf(out, "%.*s\n", (int)(last - line[i]), line[i]);
        else if (way / 5 == 1) /* twice */
            darc_text_printf(out, "%.*s%.*s", (int)n, line[i], (int)n, line[i]);
        else if (way / 5 == 2) /* without its first cell */
            darc_text_write(out, last + 1, n - 1 - (size_t)(last - line[i]));
        else
            darc_text_printf(out, "oops%.*s",
                             (int)(n - (size_t)(last - line[i])), last);
    }
}

/* A harmed table opens with the numbers that it has, or with a message. */
START_TEST(never_other_numbers)
{
    for (int way = 0; way < WAYS; way++) {
        darc_text_t text = DARC_TEXT;
        darc_table *t = NULL;
        mutilate(text, layouts[_i].text, way);
        darc_err_init(&err);
        darc_status status = recording_load(&t, text->s, text->len, &o, &err);
        int s = t != NULL ? darc_table_find(t, layouts[_i].signal) : -1;
        ck_assert(status == DARC_OK || strstr(err.message, "error: ") != NULL);
        for (size_t k = 0; s >= 0 && k < t->samples; k++) {
            double x = t->signal[s].value[k];
            bool there = isnan(x);
            for (int i = 0; i < ROWS; i++)
                there = there || x == expected[i];
            ck_assert_msg(there, "%s, way %d: %g", layouts[_i].maker, way, x);
        }
        darc_table_free(t);
        darc_text_clear(text);
    }
}
END_TEST

#define ABOVE "time,y\n0,2.841\n0.5,2.993\n1,2.677\n"

/* A table with a wrong detail, and what the message says of it. */
static const struct {
    const char *text, *says;
} wrong[] = {
    {"a,y\n0,2.8\n1,2.9\n2,2.7\n", ":1:1: error: no time column"},
    {"time,y\n2026~01~31,2\n2026~02~01,3\n2026~02~02,4\n",
     ":1:1: error: no time column: 'time' holds text that is none"},
    {ABOVE "late,2.0\n2,1.4\n", ":5:1: error: 'late' in column 'time' is not"},
    {ABOVE "1.5,2.045,7\n2,1.4\n", ":5:12: error: 3 cells where the header in"},
    {ABOVE "0.7,2.0\n2,1.4\n", ":5:1: error: time 0.7 s does not increase"},
    {ABOVE "1.5,2\n8e307,2\n2.5,1.4\n", ":6:1: error: time 8e+307 s is too"},
    {ABOVE "1.5,2\n1e20,2\n2.5,1.4\n3,2\n3.5,2\n",
     ":7:1: error: time 2.5 s does not increase (1e+20 s in the row before)"},
    {"time,id,y\n0,1,2\n1,1,2\n1e20,2,2\n2,1,3\n3,1,3\n4,1,3\n5,1,3\n",
     ":5:1: error: time 2 s does not increase (1e+20 s in the row before)\n"},
    {"Time\tV\tI\tComment\n0\t1.5\t2.5\t\n0.1\t1.6\t2.6\t\n"
     "0.2\t1.7\t2.7\t\n1.8\t2.8\t\n0.4\t1.9\t2.9\t\n",
     ":5:9: error: 3 cells where the header in line 1 has 4"},
    {ABOVE "1.5,\"2.0\n2,1.4\n", ":5:5: error: the quote is not closed"},
    {ABOVE "1.5,\"2.0\"x\n2,1.4\n",
     ":5:10: error: text after the closing quote"},
    {"time [parsec],y\n0,1\n1,2\n", ":1:1: error: unit 'parsec' of the time"},
    {"time;y\n0,5;2,8\n1,0;2.8\n1,5;2,7\n",
     "the decimal mark of this file is ','"},
    {"time,y\n13/01/2026 10:00,1\n14/01/2026 10:00,2\n01/15/2026 10:00,3\n"
     "16/01/2026 10:00,4\n",
     ":4:1: error: '01/15/2026 10:00' in column 'time' does not go with"},
    {"time,y\n2026-01-13 10:00:00,1\n2026-01-13 10:00:01,2\n17,3\n"
     "2026-01-13 10:00:03,4\n",
     ":4:1: error: '17' in column 'time' is a number, where the rows above"},
    {"time,y\n2026-01-13 10:00:00,1\n2026-01-13 10:00:01,2\n"
     "2026-13-13 10:00:02,3\n2026-01-13 10:00:03,4\n",
     ":4:1: error: '2026-13-13 10:00:02' in column 'time' is not a number"},
    {"time,y\n10:00,1\n10:00,2\n10:00,3\n10:00,4\n10:00,5\n10:01,6\n",
     "it is too coarse (--rate HZ), or samples repeat (--each)"},
    {"time,id,y\n0,a,1\n0,b,2\n1,a,3\n1,b,4\n2,a,5\n2,b,6\n",
     "--each id makes a recording of each value there"},
    {"time,y\n0,1\n1,1e999\n2,3\n", "'1e999' in column 'y' lies outside the"},
    {"time,y\n0,on\n1,off\n2,on\n",
     "no column besides time; text, not read: y"},
    {"time,y\n0,\n1,nan\n2,-\n", "no column besides time; empty, not read: y"},
    {"aa,bb\nSource,CH1,,0,1\nHorizontal Units,s,,1,2\nVertical Units,V,,2,3\n"
     "More,x,,3,4\nEnd,y,,4,5\n",
     ":1:1: error: no time column"}, /* settings beside, too few names */
    {"", "the file has no data"},
    {"time,y\n", "no data rows"},
    {"{\"t\": 0, \"y\": 1}\n{\"t\": 1, \"y\": 2}\n",
     "this is JSON, which darc"},
    {"[{\"t\": 0, \"y\": 1}, {\"t\": 1, \"y\": 2}]\n",
     "makes a table of arrays and records"},
    {"%PDF-1.7\n1 0 obj\n", "this is a PDF document"},
    {"(1436509052.249713) can0 044#2A366C2BBA\n", "this is a log of candump"},
    {"Time Stamp,ID,Extended,Dir,Bus,LEN,D1\n1000,21A,false,Rx,0,1,12\n",
     "of messages and no signals"},
    {"SECONDS;PID;VALUE\n0;rpm;800\n0.1;speed;5\n0.2;rpm;810\n0.3;speed;6\n",
     "FILE[PID=rpm] takes those of one, --each PID makes a recording of"},
    {"time,y\n0,2.1 V\n1,2.2 V\n2,2.3 A\n3,2.4 V\n",
     ":1:1: error: no column besides time; text, not read: y"},
    {"Year,Month,Day,y\n2026,2,3,1\n2026,2,3,2\n2026,2,3,3\n2026,2,3,4\n",
     ":1:1: error: no time column"},
    {"t, u, y\n4.500, 2.017, 1.944\n5.000, 2.657, 2.092\n"
     "5.500 2.988, 2.423\n6.000, 2.7, 2.4\n",
     ":4:1: error: '5.500 2.988' in column 't' is not a number"},
    {"<!DOCTYPE html>\n<p>404\n", "this is a page of the web, which darc"},
    {"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 9\n",
     "git lfs pull fetches the file"},
    {"weather,a=b t=1.5,p=2i 1773309600000000000\n",
     "this is line protocol of InfluxDB, which darc"},
    {"# of a\\ room\n"
     "in\\ door,a=b\\ c,d=\\=\\, t\\ 1=1.5,p=2i,s=\"a b\" 1773309600\n",
     "this is line protocol of InfluxDB, which darc"},
    {"$GPGGA,100000.00,4807.038,N,01131.000,E,1\n", "gpsbabel -t -i nmea -f"},
    {"10:00:00.000 -> temp:2.5,hum:1.5\n", "sed 's/^/time:/; s/ -> /,/;"},
    {"10:00:00.000 -> 2.5 1.5\n", "sed 's/ -> /,/; s/[ \\t]/,/g'"},
    {"\n     +--------+\n     | t    y |\n     |--------|\n  1. | 0  2.5 |\n"
     "  2. | 1  3.5 |\n     +--------+\n",
     "this is a list of Stata, which darc does not read; awk -F'|' 'NF==3"},
    {"date Thu Mar 12\nbase hex  timestamps absolute\n 0.1 1 12 Rx d 1 00\n",
     "this is an ASC log of a CAN bus"},
};

enum { WRONG = sizeof wrong / sizeof wrong[0] };

START_TEST(wrong_details_are_named)
{
    darc_table *t = NULL;
    const char *file = program_write("wrong.csv", wrong[_i].text);
    ck_assert_int_ne(darc_table_load(&t, file, &o, &err), DARC_OK);
    darc_text_t said = DARC_TEXT;
    darc_text_printf(said, "%s\n", err.message);
    ck_assert_msg(strstr(said->s, wrong[_i].says) != NULL,
                  "expected %s, got %s", wrong[_i].says, err.message);
    darc_text_clear(said);
}
END_TEST

/* Thousands that are parted are those of their file; a comma that may part
 * them is told. */
START_TEST(thousands_are_read)
{
    static const char *const text[] = {
        "t,y\n0,\"1,202.5\"\n1,\"1,203.5\"\n2,\"999.5\"\n",
        "t;y\n0;1.202,5\n1;1.203,5\n2;999,5\n",
        "t;y\n0;1'202.5\n1;1'203.5\n2;999.5\n",
        "t;y\n0;1\xc2\xa0"
        "202,5\n1;1\xc2\xa0"
        "203,5\n2;999,5\n"};
    darc_table *t = NULL;
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(recording_load(&t, text[i], strlen(text[i]), &o, &err),
                         DARC_OK);
        ck_assert(t->signal[0].value[0] == 1202.5);
        ck_assert(t->signal[0].value[1] == 1203.5);
        ck_assert(t->signal[0].value[2] == 999.5);
        darc_table_free(t);
    }
    static const char doubtful[] = "t,y\n0,\"1,202\"\n1,\"1,203\"\n";
    ck_assert_int_eq(recording_load(&t, doubtful, strlen(doubtful), &o, &err),
                     DARC_OK);
    ck_assert(t->signal[0].value[0] == 1.202);
    ck_assert_ptr_nonnull(strstr(t->remark[0], "read as decimal marks"));
    darc_table_free(t);
}
END_TEST

Suite *suite_layouts(void)
{
    Suite *s = suite_create("layouts");
    TCase *c = tcase_create("layouts");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_loop_test(c, each_layout_opens, 0, LAYOUTS);
    tcase_add_loop_test(c, never_other_numbers, 0, LAYOUTS);
    tcase_add_loop_test(c, wrong_details_are_named, 0, WRONG);
    tcase_add_test(c, thousands_are_read);
    suite_add_tcase(s, c);
    return s;
}
