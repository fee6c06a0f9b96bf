/* Any bytes as what a database says: a campaign is stored once, then its cells
 * are changed, and it is run again; with a first byte above 0x7f the bytes are
 * the file. */
#include "darc/drift.h"

#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64], good[80], bad[80];
static darc_model *model;

static void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *f = fopen(name, "wb");
    if (f == NULL || (n > 0 && fwrite(bytes, 1, n, f) != n) || fclose(f) != 0)
        abort();
}

static void leave(void)
{
    char line[200];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    if (system(line) != 0)
        perror(line);
}

/* A recording of y = p u that is not the others'. */
static void record(const char *name, double p)
{
    char text[16000];
    int n = sprintf(text, "t,y,u\n");
    for (int i = 0; i < 300; i++) {
        double t = 0.01 * i, u = sin(5 * t) + sin(13.1 * t);
        double y = p * u + 1e-3 * sin(1e4 * t * t);
        n += sprintf(text + n, "%.3f,%.6f,%.6f\n", t, y, u);
    }
    write_file(name, text, (size_t)n);
}

/* Run the campaign of the database, with the recordings if they are given. */
static darc_status run(const char *db, const char *const *file)
{
    darc_options *o;
    darc_campaign *c;
    darc_budget b;
    darc_budget_init(&b);
    b.here = true; /* coverage of a child would be lost */
    if (darc_options_new(&o, "drift", NULL) != DARC_OK ||
        darc_options_set(o, "db", db, NULL) != DARC_OK ||
        darc_options_number(o, "threads", 1, NULL) != DARC_OK ||
        darc_campaign_open(&c, model, o, &b, NULL) != DARC_OK)
        abort();
    for (int i = 0; file != NULL && i < 3; i++)
        darc_campaign_read(c, file[i]);
    darc_status status = darc_campaign_run(c, NULL);
    static const char *const format[] = {"text", "json", "csv", "html"};
    for (int i = 0; i < 4; i++)
        if (darc_campaign_text(c, format[i]) == NULL)
            abort();
    darc_campaign_free(c);
    darc_options_free(o);
    return status;
}

static void begin(void)
{
    static const char text[] = "model m\nparameters\n p\noutputs\n y\n"
                               "inputs\n u\nequations\n y = p*u\n";
    char name[3][90];
    const char *file[3];
    snprintf(folder, sizeof folder, "%s/darc_fuzz_%ld",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
    char line[200];
    snprintf(line, sizeof line, "mkdir -p %s", folder);
    if (system(line) != 0)
        abort();
    atexit(leave);
    snprintf(good, sizeof good, "%s/good", folder);
    snprintf(bad, sizeof bad, "%s/bad", folder);
    for (int i = 0; i < 3; i++) {
        snprintf(name[i], sizeof name[i], "%s/%d.csv", folder, i);
        record(file[i] = name[i], i < 2 ? 2 : 2.5);
    }
    if (darc_model_parse(&model, text, sizeof text - 1, "m", NULL) != DARC_OK ||
        run(good, file) != DARC_OK)
        abort();
    for (int i = 0; i < 3; i++)
        unlink(name[i]);
}

static void copy_good(void)
{
    char bytes[1 << 17];
    FILE *f = fopen(good, "rb");
    if (f == NULL)
        abort();
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    write_file(bad, bytes, n);
}

/* The values that a cell may get. */
static void bind(sqlite3_stmt *q, int kind, const uint8_t *value)
{
    double x;
    int64_t i;
    memcpy(&x, value, sizeof x);
    memcpy(&i, value, sizeof i);
    switch (kind % 8) {
    case 0:
        sqlite3_bind_null(q, 1);
        break;
    case 1:
        sqlite3_bind_int64(q, 1, i);
        break;
    case 2:
        sqlite3_bind_double(q, 1, x);
        break;
    case 3:
        sqlite3_bind_text(q, 1, (const char *)value, 8, SQLITE_STATIC);
        break;
    case 4:
        sqlite3_bind_blob(q, 1, value, 8, SQLITE_STATIC);
        break;
    case 5:
        sqlite3_bind_int64(q, 1, (signed char)value[0]);
        break;
    case 6:
        sqlite3_bind_double(q, 1, value[0] % 2 == 0 ? HUGE_VAL : -HUGE_VAL);
        break;
    default:
        sqlite3_bind_double(q, 1, ldexp(1, (int)(i % 1074)));
    }
}

/* Twelve bytes a change: table, column, row, kind, eight of the value. */
static void change(sqlite3 *db, const uint8_t *p)
{
    static const char *const table[] = {"campaign",    "recording",
                                        "fit",         "equation",
                                        "coefficient", "covariance"};
    const char *name = table[p[0] % 6];
    char *text = sqlite3_mprintf("SELECT * FROM %s", name);
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(db, text, -1, &q, NULL) != SQLITE_OK)
        abort();
    sqlite3_free(text);
    const char *column = sqlite3_column_name(q, p[1] % sqlite3_column_count(q));
    const char *key = p[0] % 6 < 2 ? "id" : "recording";
    if (p[3] == 255)
        text = sqlite3_mprintf("DELETE FROM %s WHERE ?1 IS NOT 'x' AND %s > %d",
                               name, key, p[2] % 4);
    else
        text = sqlite3_mprintf("UPDATE OR REPLACE %s SET %s = ?1 WHERE %d IN "
                               "(0, %s)",
                               name, column, p[2] % 4, key);
    sqlite3_finalize(q);
    if (sqlite3_prepare_v2(db, text, -1, &q, NULL) != SQLITE_OK)
        abort();
    bind(q, p[3], p + 4);
    sqlite3_step(q); /* may break a rule of the table */
    sqlite3_finalize(q);
    sqlite3_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (model == NULL)
        begin();
    if (size > 0 && data[0] > 0x7f) {
        write_file(bad, data + 1, size - 1);
    } else {
        sqlite3 *db;
        copy_good();
        if (sqlite3_open(bad, &db) != SQLITE_OK)
            abort();
        for (; size >= 12; data += 12, size -= 12)
            change(db, data);
        sqlite3_close(db);
    }
    (void)!run(bad, NULL);
    unlink(bad);
    return 0;
}
