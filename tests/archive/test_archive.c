/* Campaigns whose fits are kept in a database: darc drift --db. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "archive/archive.h"
#include "base/mem.h"
#include "draw.h"
#include "models.h"
#include "program.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAR "systems/quarter_car_chassis/"
#define MOTOR "systems/dc_motor/"

static darc_text_t out = DARC_TEXT, err = DARC_TEXT;
static char db[256];

static void setup(void)
{
    snprintf(db, sizeof db, "%s/a.sqlite", program_directory());
    unlink(db);
}

static void copy(const char *from, const char *name, size_t most)
{
    darc_text_t text;
    darc_text_init(text);
    ck_assert(program_read_file(from, text));
    FILE *f = fopen(program_path(name), "w");
    ck_assert_ptr_nonnull(f);
    fwrite(text->s, 1, text->len < most ? text->len : most, f);
    fclose(f);
    darc_text_clear(text);
}

static int drift(const char *arguments)
{
    char line[2000];
    snprintf(line, sizeof line, "drift " CAR "model.darc %s --db %s --json -",
             arguments, db);
    return program_run(line, out, err);
}

static double ask(const char *query)
{
    sqlite3 *s;
    sqlite3_stmt *q;
    ck_assert_int_eq(sqlite3_open(db, &s), SQLITE_OK);
    ck_assert_int_eq(sqlite3_prepare_v2(s, query, -1, &q, NULL), SQLITE_OK);
    int code = sqlite3_step(q);
    ck_assert(code == SQLITE_ROW || code == SQLITE_DONE);
    double x = code == SQLITE_ROW ? sqlite3_column_double(q, 0) : 0;
    sqlite3_finalize(q);
    sqlite3_close(s);
    return x;
}

/* What the report says of recordings, to the end; to be freed. */
static char *recordings(void)
{
    const char *begin = strstr(out->s, "\"baseline\"");
    ck_assert_ptr_nonnull(begin);
    return strdup(begin);
}

START_TEST(a_campaign_goes_on_without_its_recordings)
{
    char line[1000];
    copy(CAR "data.csv", "1.csv", SIZE_MAX);
    copy(CAR "other_road.csv", "2.csv", SIZE_MAX);
    copy(CAR "heavier.csv", "3.csv", SIZE_MAX);
    snprintf(line, sizeof line, "%s %s %s", program_path("1.csv"),
             program_path("2.csv"), program_path("3.csv"));
    ck_assert_int_eq(drift(line), 1);
    char *whole = recordings();
    unlink(db);
    snprintf(line, sizeof line, "%s %s", program_path("1.csv"),
             program_path("2.csv"));
    ck_assert_int_eq(drift(line), 0);
    unlink(program_path("1.csv"));
    unlink(program_path("2.csv"));
    ck_assert_int_eq(drift(program_path("3.csv")), 1);
    char *pieces = recordings();
    ck_assert_str_eq(whole, pieces);
    free(whole);
    free(pieces);
}
END_TEST

START_TEST(the_same_content_is_stored_once)
{
    const char *three = CAR "data.csv " CAR "other_road.csv " CAR "heavier.csv";
    ck_assert_int_eq(drift(three), 1);
    char *first = recordings();
    double fits = ask("SELECT count(*) FROM coefficient");
    ck_assert_int_eq(drift(three), 1);
    char *again = recordings();
    ck_assert_str_eq(first, again);
    copy(CAR "data.csv", "renamed.csv", SIZE_MAX);
    ck_assert_int_eq(drift(program_path("renamed.csv")), 1);
    ck_assert_int_eq(drift(""), 1);
    ck_assert(ask("SELECT count(*) FROM recording") == 3);
    ck_assert(ask("SELECT count(*) FROM coefficient") == fits);
    free(first);
    free(again);
}
END_TEST

/* Append the rows of a file, each with the name of a run before it. */
static void append_run(FILE *to, const char *from, const char *run)
{
    darc_text_t text;
    darc_text_init(text);
    ck_assert(program_read_file(from, text));
    bool first = ftell(to) == 0;
    for (char *row = strtok(text->s, "\n"); row != NULL;
         row = strtok(NULL, "\n")) {
        bool header = row == text->s;
        if (!header || first)
            fprintf(to, "%s,%s\n", header ? "run" : run, row);
    }
    darc_text_clear(text);
}

/* Each run of a long table is a recording of its own, known when it comes
 * again. */
START_TEST(runs_of_a_long_table_are_kept_apart)
{
    char line[1000];
    FILE *f = fopen(program_path("runs.csv"), "w");
    ck_assert_ptr_nonnull(f);
    append_run(f, CAR "data.csv", "r1");
    append_run(f, CAR "other_road.csv", "r2");
    append_run(f, CAR "heavier.csv", "r3");
    fclose(f);
    snprintf(line, sizeof line, "%s --each run", program_path("runs.csv"));
    for (int again = 0; again < 2; again++) {
        ck_assert_int_eq(drift(line), 1);
        ck_assert(ask("SELECT count(*) FROM recording") == 3);
        const char *first = strstr(out->s, "runs.csv[run=r1]\"");
        const char *last = strstr(out->s, "runs.csv[run=r3]\"");
        ck_assert(first != NULL && last != NULL);
        ck_assert_ptr_null(strstr(out->s, "runs.csv\""));
    }
    unlink(program_path("runs.csv"));
    ck_assert_int_eq(drift(""), 1);
    ck_assert_ptr_nonnull(strstr(out->s, "runs.csv[run=r3]\""));
}
END_TEST

/* Two vehicles: the second one is heavier, and always was. */
START_TEST(each_group_has_its_own_past)
{
    char line[1000], list[300];
    snprintf(list, sizeof list, "%s", program_path("list"));
    FILE *f = fopen(list, "w");
    ck_assert_ptr_nonnull(f);
    fputs("file;vehicle\n" CAR "heavier.csv;b\n" CAR "data.csv;a\n" CAR
          "other_road.csv;a\n" CAR "heavier_damped.csv;b\n",
          f);
    fclose(f);
    snprintf(line, sizeof line, "--list %s --group vehicle", list);
    ck_assert_int_eq(drift(line), 1);
    ck_assert(program_json_is(out->s, "group", "vehicle"));
    char *whole = recordings();
    const char *points = strstr(whole, "\"change_points\"");
    const char *road = strstr(whole, "other_road.csv\",");
    ck_assert_ptr_nonnull(road);
    ck_assert(program_json_is(road, "verdict", "consistent"));
    ck_assert(program_json_is(points, "group", "b"));
    ck_assert(strstr(points, "\"group\": \"a\"") == NULL);
    /* what the list told is kept, the group has a level of its own */
    ck_assert_int_eq(drift("--group vehicle"), 1);
    char *again = recordings();
    ck_assert_str_eq(whole, again);
    ck_assert_int_eq(drift("--group wheel"), 3);
    ck_assert_ptr_nonnull(strstr(err->s, "no list has a column 'wheel'"));
    free(whole);
    free(again);
}
END_TEST

static void write_list(const char *file, const char *load)
{
    FILE *f = fopen(file, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f,
            "file;load [kg]\n" CAR "data.csv;0\n" CAR "other_road.csv;0,0\n" CAR
            "heavier.csv;%s\n",
            load);
    fclose(f);
}

/* The car is heavier because it was loaded, or for another reason. */
START_TEST(covariates_are_kept)
{
    char line[1000], list[300];
    snprintf(list, sizeof list, "%s", program_path("list"));
    snprintf(line, sizeof line, "--list %s --covariate 'load [kg]'", list);
    write_list(list, "a lot");
    ck_assert_int_eq(drift(line), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "heavier.csv' the load [kg] 'a lot', "
                                         "which is no number"));
    write_list(list, "30");
    ck_assert_int_eq(drift(line), 2);
    ck_assert(program_json_is(out->s, "covariate", "load [kg]"));
    ck_assert(program_json_is(out->s, "unit", "1/(kg)"));
    char *whole = recordings();
    const char *doubts = strstr(whole, "\"undecided_changes\"");
    ck_assert_ptr_nonnull(doubts);
    ck_assert_ptr_nonnull(strstr(doubts, "heavier.csv\""));
    ck_assert_int_eq(drift("--covariate 'load [kg]'"), 2);
    char *again = recordings();
    ck_assert_str_eq(whole, again);
    ck_assert_int_eq(drift("--covariate load"), 3);
    ck_assert_ptr_nonnull(strstr(err->s, "no list has a column 'load'"));
    ck_assert_int_eq(drift("--covariate a,b,c,d,e,f,g,h,i"), 3);
    free(whole);
    free(again);
    unlink(db);
    write_list(list, "");
    ck_assert_int_eq(drift(line), 2);
    ck_assert_ptr_nonnull(strstr(out->s, "nothing is told of the load [kg] of "
                                         "1 recording (" CAR "heavier.csv)"));
    snprintf(line, sizeof line,
             "--list %s --covariate 'load [kg]' --baseline " CAR "heavier.csv",
             list);
    ck_assert_int_eq(drift(line), 3);
    ck_assert_ptr_nonnull(strstr(err->s, "nothing is told of the baseline"));
}
END_TEST

/* Run the program, "%s" in the line being the database; return its code. */
static int with_db(const char *format)
{
    char line[2000];
    snprintf(line, sizeof line, format, db, db, db);
    darc_text_reset(out);
    return program_run(line, out, err);
}

START_TEST(two_databases_become_one)
{
    const char *named = CAR "data.csv " CAR "other_road.csv " CAR "heavier.csv";
    ck_assert_int_eq(drift(named), 1);
    char *whole = recordings();
    unlink(db);
    ck_assert_int_eq(drift(CAR "data.csv " CAR "other_road.csv"), 0);
    ck_assert_int_eq(with_db("drift --merge %s -o %s.a"), 0); /* a copy */
    unlink(db);
    ck_assert_int_eq(drift(CAR "other_road.csv " CAR "heavier.csv"), 1);
    ck_assert_int_eq(with_db("drift --merge %s.a %s -o both.sqlite"), 0);
    ck_assert_int_eq(with_db("drift --merge %s.a %s -o both.sqlite"), 3);
    ck_assert_int_eq(rename("both.sqlite", db), 0);
    ck_assert(ask("SELECT count(*) FROM recording") == 3);
    ck_assert(ask("SELECT max(position) FROM recording") == 3);
    ck_assert_int_eq(drift(""), 1);
    char *merged = recordings();
    ck_assert_str_eq(whole, merged);
    ck_assert_int_eq(with_db("drift --merge %s"), 3);
    ck_assert_int_eq(with_db("drift --merge %s /no/such -o x.sqlite"), 4);
    ck_assert_int_eq(with_db("drift --merge %s " CAR "data.csv -o x.sqlite"),
                     4);
    ck_assert_int_ne(access("x.sqlite", F_OK), 0);
    free(whole);
    free(merged);
}
END_TEST

/* Of the second database, which is locked, it waits for its turn. */
START_TEST(a_merge_that_is_killed_leaves_nothing_in_the_way)
{
    char line[1200];
    sqlite3 *lock;
    ck_assert_int_eq(drift(CAR "data.csv " CAR "heavier.csv"), 1);
    ck_assert_int_eq(with_db("drift --merge %s -o %s.b"), 0);
    snprintf(line, sizeof line, "%s.b", db);
    ck_assert_int_eq(sqlite3_open(line, &lock), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(lock, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    pid_t child = fork();
    if (child == 0) {
        setpgid(0, 0);
        snprintf(line, sizeof line, "%s drift --merge %s %s.b -o %s.both",
                 getenv("DARC"), db, db, db);
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
        _exit(1);
    }
    sleep(1);
    ck_assert_int_eq(kill(-child, SIGKILL), 0);
    waitpid(child, NULL, 0);
    sqlite3_close(lock);
    snprintf(line, sizeof line, "%s.both", db);
    ck_assert_int_ne(access(line, F_OK), 0);
    ck_assert_int_eq(with_db("drift --merge %s %s.b -o %s.both"), 0);
    unlink(db);
    ck_assert_int_eq(rename(line, db), 0);
    ck_assert(ask("SELECT count(*) FROM recording") == 2);
    snprintf(line, sizeof line, "ls -A %s | grep -E 'tmp|part|journal|wal'",
             program_directory());
    ck_assert_int_ne(system(line), 0);
}
END_TEST

START_TEST(a_database_of_version_2_goes_on)
{
    ck_assert_int_eq(drift(CAR "data.csv " CAR "heavier.csv"), 1);
    char *first = recordings();
    ask("DROP TABLE told");
    ask("PRAGMA user_version = 2");
    ck_assert_int_eq(drift(""), 1);
    char *again = recordings();
    ck_assert_str_eq(first, again);
    ck_assert(ask("PRAGMA user_version") == 3);
    free(first);
    free(again);
}
END_TEST

START_TEST(recordings_stay_in_order_of_time)
{
    ck_assert_int_eq(drift(CAR "data.csv " CAR "heavier.csv"), 1);
    ck_assert_int_eq(
        drift(CAR "data.csv " CAR "other_road.csv " CAR "heavier.csv"), 1);
    ck_assert(
        ask("SELECT position FROM recording WHERE file LIKE '%heavier%'") >
        ask("SELECT position FROM recording WHERE file LIKE '%other%'"));
    ck_assert(ask("SELECT position FROM recording WHERE file LIKE '%data%'") <
              ask("SELECT position FROM recording WHERE file LIKE '%other%'"));
    /* another baseline holds for later runs too */
    ck_assert_int_eq(drift("--baseline " CAR "heavier.csv"), 1);
    ck_assert_int_eq(drift(""), 1);
    ck_assert(program_json_is(out->s, "baseline", CAR "heavier.csv"));
}
END_TEST

START_TEST(damaged_recordings_are_read_again_when_they_change)
{
    char line[1000];
    copy(CAR "heavier.csv", "late.csv", 10);
    snprintf(line, sizeof line, CAR "data.csv %s " CAR "other_road.csv",
             program_path("late.csv"));
    ck_assert_int_eq(drift(line), 2);
    ck_assert_ptr_nonnull(strstr(out->s, "\"damaged\""));
    ck_assert(ask("SELECT count(*) FROM recording WHERE damage NOT NULL") == 1);
    ck_assert_int_eq(drift(line), 2);
    ck_assert(ask("SELECT count(*) FROM recording") == 3);
    copy(CAR "heavier.csv", "late.csv", SIZE_MAX);
    ck_assert_int_eq(drift(program_path("late.csv")), 1);
    ck_assert_ptr_null(strstr(out->s, "\"damaged\""));
    ck_assert(ask("SELECT count(*) FROM recording") == 3);
    ck_assert(ask("SELECT count(*) FROM recording WHERE damage NOT NULL") == 0);
    ck_assert(ask("SELECT position FROM recording WHERE file LIKE '%late%'") ==
              2);
}
END_TEST

/* A disk that is not there says nothing of a recording: its turn ends, nothing
 * is stored, and the next run reads it. */
START_TEST(a_passing_fault_is_no_damage)
{
    char line[1000];
    snprintf(line, sizeof line, CAR "data.csv %s " CAR "other_road.csv",
             program_path("late.csv"));
    unlink(program_path("late.csv"));
    ck_assert_int_eq(drift(line), 4);
    ck_assert_ptr_nonnull(strstr(out->s, "\"not_read\""));
    ck_assert_ptr_nonnull(strstr(err->s, "late.csv: not read: "));
    ck_assert(ask("SELECT count(*) FROM recording") == 2);
    ck_assert(ask("SELECT count(*) FROM recording WHERE damage NOT NULL") == 0);
    copy(CAR "heavier.csv", "late.csv", SIZE_MAX);
    ck_assert_int_eq(drift(line), 1);
    ck_assert(ask("SELECT count(*) FROM fit") == 3);
}
END_TEST

/* Nor that units cannot be looked up. */
START_TEST(a_missing_library_is_no_damage)
{
    char line[1000];
    copy(CAR "heavier.csv", "mm.csv", SIZE_MAX);
    snprintf(line, sizeof line, "sed -i '1s/z .m./z [mm]/' %s",
             program_path("mm.csv"));
    ck_assert_int_eq(system(line), 0);
    snprintf(line, sizeof line, CAR "data.csv %s", program_path("mm.csv"));
    setenv("UDUNITS2_XML_PATH", "/nowhere", 1);
    ck_assert_int_eq(drift(line), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "libudunits2-0"));
    ck_assert(ask("SELECT count(*) FROM recording") == 1);
    unsetenv("UDUNITS2_XML_PATH");
    ck_assert_int_eq(drift(line), 1);
    ck_assert(ask("SELECT count(*) FROM fit") == 2);
}
END_TEST

#define HEAVY "(SELECT id FROM recording WHERE file LIKE '%heavier%')"

/* What an earlier run took for damage is looked at again. */
START_TEST(damage_is_not_for_ever)
{
    ck_assert_int_eq(drift(CAR "data.csv " CAR "heavier.csv"), 1);
    ask("DELETE FROM covariance WHERE recording = " HEAVY);
    ask("DELETE FROM coefficient WHERE recording = " HEAVY);
    ask("DELETE FROM equation WHERE recording = " HEAVY);
    ask("DELETE FROM fit WHERE recording = " HEAVY);
    ask("UPDATE recording SET damage = 'x' WHERE id = " HEAVY);
    ck_assert_int_eq(drift(""), 2);
    ck_assert_int_eq(drift(CAR "heavier.csv"), 1);
    ck_assert(ask("SELECT count(*) FROM recording WHERE damage NOT NULL") == 0);
}
END_TEST

START_TEST(other_settings_begin_a_campaign_of_their_own)
{
    ck_assert_int_eq(drift(CAR "data.csv " CAR "other_road.csv"), 0);
    ck_assert_int_eq(drift(CAR "heavier.csv --alpha 0.05"), 0);
    ck_assert_ptr_nonnull(strstr(out->s, "under other settings"));
    ck_assert(ask("SELECT count(*) FROM campaign") == 2);
    ck_assert_int_eq(drift("--tolerance 0.1"), 4);
    ck_assert(ask("SELECT count(*) FROM recording") == 3);
}
END_TEST

/* Write 2000 samples with noise of 1 %. */
static void write_noisy(const char *file)
{
    uint64_t exact = 17, state = 23;
    case_options o = {
        .seconds = 5, .rate = 400, .noise = 0.01, .scale = {1, 1, 1, 1}};
    darc_table *t = case_table(CASE_QUARTER, &o, &exact, &state);
    FILE *f = fopen(file, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "t,a,z\n");
    for (size_t i = 0; i < t->samples; i++)
        fprintf(f, "%.17g,%.17g,%.17g\n", (double)i / o.rate,
                t->signal[0].value[i], t->signal[1].value[i]);
    fclose(f);
    case_free(t);
}

/* Where one of these numbers has changed on purpose, fits that are stored are
 * no more those that would be made: raise FITS in archive.c, and put the
 * new numbers here. */
START_TEST(stored_fits_are_those_of_their_version)
{
    static const struct {
        const char *query;
        double value;
    } is[] = {
        {"SELECT instr(settings, 'fits 7' || char(10)) FROM campaign", 1},
        {"SELECT value FROM coefficient WHERE function = 'c/m'", 66.64198043},
        {"SELECT sd FROM coefficient WHERE function = 'c/m'", 0.03054225657},
        {"SELECT sd FROM coefficient WHERE function = 'd/m'", 0.002469483497},
        {"SELECT share FROM coefficient WHERE function = 'd/m'", 0.6799891281},
        {"SELECT ratio FROM fit", 4.595763538e-06},
        {"SELECT p_value FROM fit", 0.9947495675},
        {"SELECT size FROM equation", 111.4836932},
        {"SELECT defect_high FROM equation", 0.0007052528275},
        {"SELECT moment FROM covariance WHERE a = 1 AND b = 1", 1.507428489},
    };
    char file[300];
    snprintf(file, sizeof file, "%s", program_path("noisy.csv"));
    write_noisy(file);
    ck_assert_int_eq(drift(file), 0);
    for (size_t i = 0; i < sizeof is / sizeof is[0]; i++)
        ck_assert_double_eq_tol(ask(is[i].query), is[i].value,
                                1e-7 * is[i].value);
}
END_TEST

/* A comma or a quote in the name of a file begins no cell. */
START_TEST(cells_are_quoted)
{
    char line[1000], want[400];
    copy(CAR "heavier.csv", "1,\"2\".csv", SIZE_MAX);
    snprintf(line, sizeof line,
             "drift " CAR "model.darc " CAR "data.csv '%s' --csv -",
             program_path("1,\"2\".csv"));
    ck_assert_int_eq(program_run(line, out, err), 1);
    snprintf(want, sizeof want, "\n\"%s/1,\"\"2\"\".csv\",c/m,65.57",
             program_directory());
    ck_assert_msg(strstr(out->s, want) != NULL, "%s", out->s);
    ck_assert(strstr(out->s, "\n" CAR "data.csv,d/m,") != NULL);
}
END_TEST

/* The run fails with the message and leaves the file as it is. */
static void refused(const char *message)
{
    darc_text_t before, after;
    darc_text_init(before);
    darc_text_init(after);
    ck_assert(program_read_file(db, before));
    ck_assert_int_eq(drift(CAR "data.csv " CAR "heavier.csv"), 4);
    ck_assert_msg(strstr(err->s, message) != NULL, "%s", err->s);
    ck_assert(program_read_file(db, after));
    ck_assert_uint_eq(before->len, after->len);
    ck_assert_mem_eq(before->s, after->s, before->len);
    darc_text_clear(before);
    darc_text_clear(after);
}

static void write_bytes(long offset, int byte, int n)
{
    FILE *f = fopen(db, offset == 0 ? "w" : "r+");
    ck_assert_ptr_nonnull(f);
    fseek(f, offset, SEEK_SET);
    for (int i = 0; i < n; i++)
        fputc(byte, f);
    fclose(f);
}

START_TEST(what_is_no_database_of_darc_is_left_alone)
{
    write_bytes(0, 'x', 3000);
    refused("not a database");
    unlink(db);
    ask("CREATE TABLE t(x)");
    refused("of another program");
    unlink(db);
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    ask("PRAGMA user_version = 99");
    refused("version 99, this darc");
    ask("PRAGMA user_version = 1");
    refused("make a new one from the recordings");
    ask("PRAGMA user_version = 3");
    write_bytes(4096, 0xff, 9000);
    refused("damaged");
    snprintf(db, sizeof db, "/nowhere/a.sqlite");
    ck_assert_int_eq(drift(CAR "data.csv"), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "cannot be written"));
}
END_TEST

/* What others have put into it does not run, and what they have changed is
 * seen. */
START_TEST(a_database_of_others_is_refused)
{
    static const struct {
        const char *change, *says;
    } cases[] = {
        {"CREATE TRIGGER x AFTER INSERT ON recording BEGIN DELETE FROM "
         "recording; END",
         "are not those"},
        {"CREATE VIEW v AS SELECT load_extension('x')", "are not those"},
        {"ALTER TABLE recording ADD COLUMN more", "are not those"},
        {"ALTER TABLE fit RENAME COLUMN ratio TO rate", "are not those"},
        {"CREATE INDEX i ON recording(abs(position))", "are not those"},
        {"DROP TABLE covariance", "are not those"},
        {"UPDATE coefficient SET value = NULL WHERE coefficient = 1",
         "is incomplete"},
        {"UPDATE covariance SET value = NULL", "is incomplete"},
        {"UPDATE covariance SET value = -1", "is incomplete"},
        {"UPDATE covariance SET value = a + 10 * b", "is incomplete"},
        {"UPDATE covariance SET moment = NULL", "is incomplete"},
        {"UPDATE fit SET error_dof = 0", "is incomplete"},
        {"UPDATE fit SET error_dof = 1e-300", "is incomplete"},
        {"UPDATE fit SET ratio = -1", "is incomplete"},
        {"UPDATE fit SET p_value = 1.5", "is incomplete"},
        {"UPDATE equation SET size = NULL", "is incomplete"},
        {"UPDATE equation SET reference = 99", "is incomplete"},
        {"UPDATE coefficient SET free = 1", "is incomplete"},
        {"UPDATE coefficient SET free = 0", "is incomplete"},
        {"UPDATE fit SET misfit = misfit + 4294967296", "is incomplete"},
        {"UPDATE fit SET misfit = 16", "is incomplete"},
        {"UPDATE equation SET equation = 4294967296", "is incomplete"},
        {"UPDATE equation SET reference = reference + 4294967296",
         "is incomplete"},
        {"UPDATE coefficient SET coefficient = coefficient + 4294967296",
         "is incomplete"},
        {"UPDATE covariance SET a = a + 4294967296", "is incomplete"},
        {"UPDATE covariance SET b = b + 0.25", "is incomplete"},
        {"UPDATE recording SET position = 1e308", "no position"},
        {"UPDATE recording SET position = -9e999", "no position"},
        {"UPDATE coefficient SET value = 'a'", "a word stands"},
        {"UPDATE recording SET position = x'00'", "a word stands"},
        {"UPDATE equation SET origin = 'no'", "a word stands"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unlink(db);
        ck_assert_int_eq(drift(CAR "data.csv"), 0);
        ask(cases[i].change);
        int code = drift(CAR "data.csv");
        ck_assert_msg(code == 4, "%s: %d", cases[i].change, code);
        ck_assert_msg(strstr(err->s, cases[i].says) != NULL, "%s: %s",
                      cases[i].change, err->s);
    }
    /* a number that stands for none */
    unlink(db);
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    const char *const table[] = {"covariance", "coefficient", "equation", "fit",
                                 "told"};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char line[80];
        snprintf(line, sizeof line, "UPDATE %s SET recording = 0", table[i]);
        ask(line);
    }
    ask("UPDATE campaign SET baseline = NULL");
    ask("UPDATE recording SET id = 0");
    ck_assert_int_eq(drift(CAR "data.csv"), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "recording 0 has no number"));
    /* NULL where the schema forbids it, by whoever goes round it */
    unlink(db);
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    sqlite3 *s;
    ck_assert_int_eq(sqlite3_open(db, &s), SQLITE_OK);
    ck_assert_int_eq(
        sqlite3_exec(s,
                     "PRAGMA writable_schema = ON; UPDATE sqlite_master SET "
                     "sql = replace(sql, 'file TEXT NOT NULL', 'file TEXT "
                     "         ') WHERE name = 'recording'",
                     NULL, NULL, NULL),
        SQLITE_OK);
    sqlite3_close(s);
    ask("UPDATE recording SET file = NULL");
    ck_assert_int_eq(drift(CAR "data.csv"), 4);
    /* a table of one's own beside them does no harm */
    unlink(db);
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    ask("CREATE TABLE notes(text)");
    ck_assert_int_eq(drift(CAR "other_road.csv"), 0);
}
END_TEST

START_TEST(a_locked_database_is_named)
{
    sqlite3 *s;
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    ck_assert_int_eq(sqlite3_open(db, &s), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(s, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    ck_assert_int_eq(drift(CAR "heavier.csv"), 4);
    ck_assert_ptr_nonnull(strstr(err->s, "locked"));
    sqlite3_close(s);
    ck_assert(ask("SELECT count(*) FROM recording") == 1);
}
END_TEST

START_TEST(two_runs_may_write_at_a_time)
{
    char line[2000];
    const char *darc = getenv("DARC");
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    snprintf(line, sizeof line,
             "for f in other_road heavier heavier_damped data; do %s drift " CAR
             "model.darc " CAR "$f.csv --db %s >/dev/null & done; wait",
             darc != NULL ? darc : "build/debug/darc", db);
    ck_assert_int_ne(system(line), -1);
    ck_assert(ask("SELECT count(*) FROM recording") == 4);
    ck_assert(ask("SELECT count(*) FROM fit") == 4);
    ck_assert_int_eq(drift(""), 1);
}
END_TEST

/* Root writes everywhere, another user does not. */
START_TEST(a_database_that_is_read_only_is_named)
{
    char line[3000], path[300];
    const char *darc = getenv("DARC");
    ck_assert_int_eq(drift(CAR "data.csv"), 0);
    ck_assert_int_eq(chmod(program_directory(), 0755), 0);
    ck_assert_int_eq(chmod(db, 0444), 0);
    snprintf(path, sizeof path, "%s", program_path("message"));
    const char *user = geteuid() != 0 ? "" : "setpriv --reuid=65534 ";
    snprintf(line, sizeof line, "%s test -x %s", user, darc);
    if (system(line) != 0) {
        fprintf(stderr, "archive: skipped, no other user runs %s\n", darc);
        return;
    }
    snprintf(line, sizeof line,
             "%s%s drift " CAR "model.darc " CAR "heavier.csv --db %s 2>%s",
             user, darc, db, path);
    ck_assert_int_eq(WEXITSTATUS(system(line)), 4);
    ck_assert(program_read_file(path, err));
    snprintf(line, sizeof line,
             "%s: error: the database cannot be written (read only); the file "
             "and its directory must be writable\n",
             db);
    ck_assert_str_eq(err->s, line);
    ck_assert(ask("SELECT count(*) FROM recording") == 1);
}
END_TEST

/* Simulate recording `name` of the motor with the inertia. */
static void turn(const char *name, double inertia, int seed)
{
    char line[1000];
    snprintf(line, sizeof line,
             "simulate " MOTOR "model.darc --param L=0.0005,R=1,K=0.05,J=%g,"
             "b=1e-5 --input u=multisine:6,5,200,20 --seed %d --t-end 0.1 "
             "--rate 10000 --noise 1e-3 -o %s",
             inertia, seed, program_path(name));
    ck_assert_int_eq(program_run(line, out, err), 0);
}

/* One equation of the torque, one of the voltage: both are kept, and the
 * inertia stands in one of them alone. */
START_TEST(every_equation_is_kept)
{
    char line[2000], old[700], new[300];
    turn("1.csv", 1e-4, 1);
    turn("2.csv", 1e-4, 2);
    turn("3.csv", 1.3e-4, 3);
    snprintf(old, sizeof old, "%s %s", program_path("1.csv"),
             program_path("2.csv"));
    snprintf(new, sizeof new, "%s", program_path("3.csv"));
    snprintf(line, sizeof line, "drift " MOTOR "model.darc %s %s --json -", old,
             new);
    ck_assert_int_eq(program_run(line, out, err), 1);
    char *whole = recordings();
    ck_assert(strstr(whole, "\"moved\": [\"J/K\"]") != NULL);
    const char *const function[] = {"J/K", "b/K", "L", "R", "K"};
    for (int i = 0; i < 5; i++)
        ck_assert(program_json_is(whole, "function", function[i]));
    const char *const part[] = {old, new};
    for (int i = 0; i < 2; i++) {
        snprintf(line, sizeof line,
                 "drift " MOTOR "model.darc %s --db %s --json -", part[i], db);
        ck_assert_int_eq(program_run(line, out, err), i);
    }
    char *pieces = recordings();
    ck_assert_str_eq(whole, pieces);
    ck_assert(ask("SELECT count(*) FROM fit") == 3);
    ck_assert(ask("SELECT count(*) FROM equation") == 6);
    ck_assert(ask("SELECT count(DISTINCT equation) FROM equation") == 2);
    free(whole);
    free(pieces);
}
END_TEST

static double *draw_many(size_t n, uint64_t *state)
{
    double *x = darc_calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++)
        x[i] = draw_normal(state);
    return x;
}

/* Symmetric, with squares on the diagonal. */
static double *draw_covariance(size_t n, uint64_t *state)
{
    double *m = draw_many(n * n, state);
    for (size_t j = 0; j < n; j++)
        for (size_t l = 0; l <= j; l++)
            m[j * n + l] = l < j ? m[l * n + j] : m[j * n + j] * m[j * n + j];
    return m;
}

/* Estimates of two equations of three coefficients. */
static void draw_estimates(darc_estimates *e)
{
    uint64_t state = 3;
    *e = (darc_estimates){.equations = 2,
                          .coeffs = 6,
                          .misfit = true,
                          .error_dof = HUGE_VAL,
                          .ratio = 1e-310,
                          .p_value = 5e-324};
    e->c = draw_many(6, &state);
    e->cov = draw_covariance(6, &state);
    e->bias = draw_many(6, &state);
    for (int j = 0; j < 6; j++)
        e->bias[j] = j == 4 ? HUGE_VAL : fabs(e->bias[j]);
    e->free = darc_calloc(6, sizeof *e->free);
    e->eq = darc_calloc(2, sizeof *e->eq);
    for (int q = 0; q < 2; q++) {
        e->free[3 * q] = e->free[3 * q + 2] = true;
        e->eq[q] =
            (darc_estimates_equation){.first = 3 * q,
                                      .coeffs = 3,
                                      .reference = 3 * q + 1,
                                      .offset = q == 0 ? -1 : 5,
                                      .origin = q == 1,
                                      .size = fabs(draw_normal(&state)),
                                      .gram = draw_covariance(3, &state),
                                      .share = draw_many(3, &state),
                                      .defect = {0.1, 0.2, 0.3, HUGE_VAL},
                                      .arbitrary = draw_normal(&state)};
    }
}

static void same(const double *x, const double *y, size_t n)
{
    ck_assert_mem_eq(x, y, n * sizeof *x);
}

START_TEST(what_is_known_comes_back_to_the_bit)
{
    darc_model *model = model_of("model two\nparameters\n a b c\ninputs\n u\n"
                                 "outputs\n y z\nequations\n"
                                 " y' + a*y = b*u\n z' + c*z = a*u\n");
    char *file = (char *)(CAR "data.csv");
    const darc_listing list = {.files = 1, .file = &file};
    darc_session *session;
    darc_archive a;
    darc_estimates e, back;
    draw_estimates(&e);
    ck_assert_int_eq(darc_session_new(&session, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_archive_open(&a, db, session, NULL), DARC_OK);
    ck_assert_int_eq(darc_archive_arrange(&a, &list, -1, NULL), DARC_OK);
    ck_assert_int_eq(darc_archive_keep(&a, 0, &e, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_archive_fit(&a, 0, &back, NULL), DARC_OK);
    ck_assert(back.misfit && back.equations == 2 && back.coeffs == 6);
    same(&e.error_dof, &back.error_dof, 1);
    same(&e.ratio, &back.ratio, 1);
    same(&e.p_value, &back.p_value, 1);
    same(e.c, back.c, 6);
    same(e.cov, back.cov, 36);
    same(e.bias, back.bias, 6);
    ck_assert_mem_eq(e.free, back.free, 6 * sizeof *e.free);
    for (int q = 0; q < 2; q++) {
        const darc_estimates_equation *x = e.eq + q, *y = back.eq + q;
        ck_assert_int_eq(x->first, y->first);
        ck_assert_int_eq(x->coeffs, y->coeffs);
        ck_assert_int_eq(x->reference, y->reference);
        ck_assert_int_eq(x->offset, y->offset);
        ck_assert_int_eq(x->origin, y->origin);
        ck_assert_mem_eq(&x->defect, &y->defect, sizeof x->defect);
        same(&x->size, &y->size, 1);
        same(&x->arbitrary, &y->arbitrary, 1);
        same(x->gram, y->gram, 9);
        same(x->share, y->share, 3);
    }
    darc_estimates_clear(&e);
    darc_estimates_clear(&back);
    darc_archive_close(&a);
    darc_session_free(session);
    darc_model_free(model);
}
END_TEST

START_TEST(a_fit_that_lacks_a_row_is_refused)
{
    ck_assert_int_eq(drift(CAR "data.csv " CAR "other_road.csv"), 0);
    ask("DELETE FROM covariance WHERE a = 1 AND b = 1 AND recording = "
        "(SELECT id FROM recording WHERE file LIKE '%other%')");
    ck_assert_int_eq(drift(""), 2);
    ck_assert_ptr_nonnull(strstr(out->s, "is incomplete"));
}
END_TEST

/* The second recording comes a second after the first, and the third never:
 * whoever waits for it is told of the others.  (A pipe is open for writing
 * when it is open for reading.) */
START_TEST(what_is_known_is_shown_on_interrupt)
{
    char line[3000];
    char second[300], third[300];
    snprintf(second, sizeof second, "%s", program_path("second"));
    snprintf(third, sizeof third, "%s", program_path("third"));
    ck_assert_int_eq(mkfifo(second, 0600), 0);
    ck_assert_int_eq(mkfifo(third, 0600), 0);
    snprintf(line, sizeof line,
             "%s drift " CAR "model.darc " CAR "data.csv %s %s --threads 1 "
             ">%s 2>%s & exec 8>%s; sleep 1.01; cat " CAR
             "heavier.csv >&8; exec 8>&-; exec 9>%s; kill -INT $!; wait $!",
             getenv("DARC"), second, third, program_path("out"),
             program_path("err"), second, third);
    ck_assert_int_eq(WEXITSTATUS(system(line)), 5);
    ck_assert(program_read_file(program_path("out"), out));
    ck_assert(program_read_file(program_path("err"), err));
    ck_assert_msg(strstr(err->s, "interrupted") != NULL, "%s", err->s);
    ck_assert_msg(strstr(err->s, "recordings") != NULL, "%s", err->s);
    ck_assert(strstr(out->s, ": drift against " CAR "data.csv") != NULL);
    /* Of all recordings there is no verdict yet. */
    ck_assert(strncmp(out->s, "INCONSISTENT: ", 14) != 0);
    ck_assert(strstr(out->s, "INCONSISTENT") != NULL);
    ck_assert_ptr_null(strstr(out->s, third));
}
END_TEST

Suite *suite_archive(void)
{
    Suite *s = suite_create("archive");
    TCase *c = tcase_create("archive");
    tcase_add_checked_fixture(c, setup, NULL);
    tcase_add_test(c, a_campaign_goes_on_without_its_recordings);
    tcase_add_test(c, the_same_content_is_stored_once);
    tcase_add_test(c, runs_of_a_long_table_are_kept_apart);
    tcase_add_test(c, each_group_has_its_own_past);
    tcase_add_test(c, covariates_are_kept);
    tcase_add_test(c, two_databases_become_one);
    tcase_add_test(c, a_merge_that_is_killed_leaves_nothing_in_the_way);
    tcase_add_test(c, a_database_of_version_2_goes_on);
    tcase_add_test(c, recordings_stay_in_order_of_time);
    tcase_add_test(c, damaged_recordings_are_read_again_when_they_change);
    tcase_add_test(c, a_passing_fault_is_no_damage);
    tcase_add_test(c, a_missing_library_is_no_damage);
    tcase_add_test(c, damage_is_not_for_ever);
    tcase_add_test(c, other_settings_begin_a_campaign_of_their_own);
    tcase_add_test(c, cells_are_quoted);
    tcase_add_test(c, stored_fits_are_those_of_their_version);
    tcase_add_test(c, what_is_no_database_of_darc_is_left_alone);
    tcase_add_test(c, a_database_of_others_is_refused);
    tcase_add_test(c, a_locked_database_is_named);
    tcase_add_test(c, two_runs_may_write_at_a_time);
    tcase_add_test(c, a_database_that_is_read_only_is_named);
    tcase_add_test(c, every_equation_is_kept);
    tcase_add_test(c, what_is_known_comes_back_to_the_bit);
    tcase_add_test(c, a_fit_that_lacks_a_row_is_refused);
    tcase_add_test(c, what_is_known_is_shown_on_interrupt);
    suite_add_tcase(s, c);
    return s;
}
