/* archive_fit.c - fits as rows, and rows as fits. */
#include "archive/archive.h"

#include "base/mem.h"
#include "coefficient/ratio.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>

static darc_status put_coefficient(const darc_archive *a, long long row, int q,
                                   int k, const darc_estimates *e,
                                   darc_err *err)
{
    const darc_estimates_equation *eq = e->eq + q;
    int j = eq->first + k;
    darc_text_t name = DARC_TEXT;
    if (e->free[j])
        darc_ratio_print(name, a->session->io, a->equation[q], k,
                         eq->reference - eq->first, NULL);
    else
        darc_text_puts(name, "1");
    darc_status status = darc_sql_do(
        &a->sql, NULL, err, "INSERT INTO coefficient VALUES(?,?,?,?,?,?,?,?,?)",
        "iiitddidd", row, (long long)j, (long long)a->equation[q], name->s,
        e->c[j], sqrt(e->cov[j * (e->coeffs + 1)]), (long long)e->free[j],
        eq->share[k], e->bias[j]);
    darc_text_clear(name);
    for (int l = 0; l < e->coeffs && status == DARC_OK; l++) {
        int m = l - eq->first;
        bool own = m >= 0 && m < eq->coeffs;
        status = darc_sql_do(
            &a->sql, NULL, err, "INSERT INTO covariance VALUES(?,?,?,?,?)",
            "iiidd", row, (long long)j, (long long)l, e->cov[j * e->coeffs + l],
            own ? eq->gram[k * eq->coeffs + m] : NAN);
    }
    return status;
}

/* What the recording is marked with, in one column. */
enum { MISFIT = 1, COLOURED = 2, COARSE = 4, SIMPLE = 8 };

static darc_status put_fit(const darc_archive *a, long long row,
                           const darc_estimates *e, darc_err *err)
{
    long long marks = (e->misfit ? MISFIT : 0) | (e->coloured ? COLOURED : 0) |
                      (e->coarse ? COARSE : 0) | (e->simple ? SIMPLE : 0);
    DARC_NEED(darc_sql_do(&a->sql, NULL, err,
                          "INSERT INTO fit VALUES(?,?,?,?,?)", "iiddd", row,
                          marks, e->error_dof, e->ratio, e->p_value));
    for (int q = 0; q < e->equations; q++) {
        const darc_estimates_equation *eq = e->eq + q;
        const darc_defect *d = &eq->defect;
        DARC_NEED(darc_sql_do(
            &a->sql, NULL, err,
            "INSERT INTO equation VALUES(?,?,?,?,?,?,?,?,?,?,?)", "iiiiidddddd",
            row, (long long)a->equation[q], (long long)eq->reference,
            (long long)eq->offset, (long long)eq->origin, eq->size, d->defect,
            d->low, d->high, d->high_input, eq->arbitrary));
        for (int k = 0; k < eq->coeffs; k++)
            DARC_NEED(put_coefficient(a, row, q, k, e, err));
    }
    return DARC_OK;
}

/* Set x->row to the row of the recording; *there: another program has stored
 * the same content meanwhile. */
static darc_status put_recording(darc_archive *a, darc_archive_entry *x,
                                 const char *damage, bool *there, darc_err *err)
{
    darc_err own = {DARC_OK, ""};
    const char *hash = x->hash[0] != '\0' ? x->hash : NULL;
    darc_status status =
        x->row != 0
            ? darc_sql_do(&a->sql, NULL, &own,
                          "UPDATE recording SET sha256 = ?, damage = ? "
                          "WHERE id = ?",
                          "tti", hash, damage, x->row)
            : darc_sql_do(&a->sql, &x->row, &own,
                          "INSERT INTO recording(id, campaign, position, file, "
                          "sha256, damage) SELECT CASE WHEN EXISTS(SELECT 1 "
                          "FROM recording WHERE id = ?1) THEN NULL ELSE ?1 "
                          "END,?,?,?,?,?",
                          "iidttt", x->planned, a->campaign, x->position,
                          x->file, hash, damage);
    *there = status != DARC_OK &&
             (sqlite3_errcode(a->sql.db) & 0xff) == SQLITE_CONSTRAINT;
    if (status != DARC_OK && !*there)
        return darc_fail(err, own.status, "%s", own.message);
    return DARC_OK;
}

/* The share of the writer's time that commits may take in a fleet, where all
 * others wait for it: a disk takes some 10 ms for one.  What a death may cost
 * are the recordings of one commit. */
static const double COMMIT_SHARE = 0.1;

/* Return whether a transaction is open: where memory or the disk fails SQLite
 * ends it itself. */
static bool is_open(const darc_archive *a)
{
    return sqlite3_get_autocommit(a->sql.db) == 0;
}

darc_status darc_archive_commit(darc_archive *a, darc_err *err)
{
    if (!a->writing)
        return DARC_OK;
    double before = darc_now();
    darc_status status = darc_sql_exec(&a->sql, "COMMIT", err);
    double after = darc_now();
    a->due = after + (after - before) * (1 / COMMIT_SHARE - 1);
    a->writing = is_open(a);
    return status;
}

/* One transaction, or one of a batch. */
static darc_status store(darc_archive *a, int i, const darc_estimates *e,
                         const char *damage, darc_err *err)
{
    bool there = false;
    long long old = a->entry[i].row;
    if (!a->writing)
        DARC_NEED(darc_sql_exec(&a->sql, "BEGIN IMMEDIATE", err));
    darc_status status = darc_sql_exec(&a->sql, "SAVEPOINT one", err);
    DARC_THEN(put_recording(a, a->entry + i, damage, &there, err));
    if (status == DARC_OK && e != NULL && !there)
        status = put_fit(a, a->entry[i].row, e, err);
    if (status != DARC_OK || there) {
        sqlite3_exec(a->sql.db, "ROLLBACK TO one; RELEASE one", NULL, NULL,
                     NULL);
        a->entry[i].row = old;
    } else {
        status = darc_sql_exec(&a->sql, "RELEASE one", err);
    }
    a->writing = is_open(a);
    bool now = a->fleet == NULL || darc_now() > a->due;
    return status == DARC_OK && now ? darc_archive_commit(a, err) : status;
}

darc_status darc_archive_keep(darc_archive *a, int i, const darc_estimates *e,
                              const char *damage, darc_err *err)
{
    if (a->entry[i].known)
        return DARC_OK;
    pthread_mutex_lock(&a->lock);
    darc_status status = store(a, i, e, e == NULL ? damage : NULL, err);
    pthread_mutex_unlock(&a->lock);
    return status;
}

static darc_status incomplete(const darc_archive *a, int i, darc_err *err)
{
    return darc_fail_file(err, a->sql.file,
                          "the fit of '%s' is incomplete; restore the database "
                          "from a copy, or delete this recording from it",
                          a->entry[i].file);
}

/* Set e to coefficients of which nothing is known. */
static void make_room(darc_estimates *e, const darc_archive *a)
{
    *e = (darc_estimates){.equations = a->equations};
    e->eq = darc_calloc((size_t)a->equations, sizeof *e->eq);
    for (int q = 0; q < a->equations; q++) {
        darc_estimates_equation *eq = e->eq + q;
        int n = (int)a->session->io->eq[a->equation[q]].part->count;
        eq->first = e->coeffs;
        eq->coeffs = n < 2 ? 2 : n; /* one that is settled is split */
        DARC_CALLOC((size_t)(eq->coeffs * eq->coeffs), eq->gram);
        eq->share = darc_calloc((size_t)eq->coeffs, sizeof *eq->share);
        e->coeffs += eq->coeffs;
    }
    size_t n = (size_t)e->coeffs;
    e->c = darc_calloc(n, sizeof *e->c);
    e->cov = darc_calloc(n * n, sizeof *e->cov);
    DARC_CALLOC(n, e->free, e->bias);
}

/* Return the place of equation e of the model; -1: it has none. */
static int place_of(const darc_archive *a, int e)
{
    for (int q = 0; q < a->equations; q++)
        if (a->equation[q] == e)
            return q;
    return -1;
}

/* Take a row in; return whether it is one of these estimates. */
typedef bool taker(darc_estimates *e, const darc_archive *a, sqlite3_stmt *row);

/* Return the whole number in a column of the row, INT_MIN where there is none
 * that an int holds. */
static int whole_number(sqlite3_stmt *query, int column)
{
    sqlite3_int64 x = sqlite3_column_int64(query, column);
    bool fits = sqlite3_column_type(query, column) == SQLITE_INTEGER &&
                x > INT_MIN && x <= INT_MAX;
    return fits ? (int)x : INT_MIN;
}

static bool take_fit(darc_estimates *e, const darc_archive *a,
                     sqlite3_stmt *row)
{
    (void)a;
    int marks = whole_number(row, 1);
    e->misfit = (marks & MISFIT) != 0;
    e->coloured = (marks & COLOURED) != 0;
    e->coarse = (marks & COARSE) != 0;
    e->simple = (marks & SIMPLE) != 0;
    e->error_dof = darc_sql_double(row, 2);
    e->ratio = darc_sql_double(row, 3);
    e->p_value = darc_sql_double(row, 4);
    return marks >= 0 && marks <= (MISFIT | COLOURED | COARSE | SIMPLE);
}

static bool take_equation(darc_estimates *e, const darc_archive *a,
                          sqlite3_stmt *row)
{
    int q = place_of(a, whole_number(row, 1));
    if (q < 0)
        return false;
    darc_estimates_equation *eq = e->eq + q;
    int end = eq->first + eq->coeffs;
    eq->reference = whole_number(row, 2);
    eq->offset = whole_number(row, 3);
    eq->origin = whole_number(row, 4) == 1;
    eq->size = darc_sql_double(row, 5);
    eq->defect.defect = darc_sql_double(row, 6);
    eq->defect.low = darc_sql_double(row, 7);
    eq->defect.high = darc_sql_double(row, 8);
    eq->defect.high_input = darc_sql_double(row, 9);
    eq->arbitrary = darc_sql_double(row, 10);
    return eq->reference >= eq->first && eq->reference < end &&
           eq->offset >= -1 && eq->offset < end;
}

static bool take_coefficient(darc_estimates *e, const darc_archive *a,
                             sqlite3_stmt *row)
{
    int j = whole_number(row, 1), q = place_of(a, whole_number(row, 2));
    if (q < 0 || j < e->eq[q].first || j >= e->eq[q].first + e->eq[q].coeffs)
        return false;
    e->c[j] = darc_sql_double(row, 4);
    e->free[j] = whole_number(row, 6) != 0;
    e->eq[q].share[j - e->eq[q].first] = darc_sql_double(row, 7);
    e->bias[j] = darc_sql_double(row, 8);
    return true;
}

static bool take_covariance(darc_estimates *e, const darc_archive *a,
                            sqlite3_stmt *row)
{
    int j = whole_number(row, 1), l = whole_number(row, 2);
    if (j < 0 || j >= e->coeffs || l < 0 || l >= e->coeffs)
        return false;
    e->cov[j * e->coeffs + l] = darc_sql_double(row, 3);
    for (int q = 0; q < a->equations; q++) {
        darc_estimates_equation *eq = e->eq + q;
        int k = j - eq->first, m = l - eq->first, n = eq->coeffs;
        if (k >= 0 && k < n && m >= 0 && m < n)
            eq->gram[k * n + m] = darc_sql_double(row, 4);
    }
    return true;
}

/* Read the rows of entry i in a table, of which there should be so many. */
static darc_status get_rows(darc_estimates *e, const darc_archive *a, int i,
                            int table, darc_err *err)
{
    static const struct {
        const char *query;
        taker *take;
    } of[] = {
        {"SELECT * FROM fit WHERE recording = ?", take_fit},
        {"SELECT * FROM equation WHERE recording = ?", take_equation},
        {"SELECT * FROM coefficient WHERE recording = ?", take_coefficient},
        {"SELECT * FROM covariance WHERE recording = ?", take_covariance}};
    const int rows[] = {1, e->equations, e->coeffs, e->coeffs * e->coeffs};
    sqlite3_stmt *row;
    int taken = 0;
    DARC_NEED(darc_sql_query(&a->sql, &row, err, of[table].query, "i",
                             a->entry[i].row));
    while (row != NULL) {
        taken += of[table].take(e, a, row);
        DARC_NEED(darc_sql_next(&a->sql, &row, err));
    }
    return taken == rows[table] ? DARC_OK : incomplete(a, i, err);
}

/* Sums of the same numbers in another order differ by less, as a share. */
static const double ROUNDING = 1e-12;

/* Whether the n x n numbers can be a covariance, symmetric but for rounding:
 * NANs are not. */
static bool is_covariance(const double *m, int n)
{
    bool can = true;
    for (int j = 0; j < n; j++)
        for (int l = 0; l <= j; l++)
            can &= fabs(m[j * n + l] - m[l * n + j]) <=
                       ROUNDING * sqrt(m[j * (n + 1)] * m[l * (n + 1)]) &&
                   isfinite(m[j * n + l]) && m[j * (n + 1)] >= 0;
    return can;
}

/* Fewer degrees of freedom know nothing: no fit says so. */
static const double LEAST_DOF = 1e-3;

/* Whether all ratios of an equation are free and nothing else is: one that
 * holds no parameter has none. */
static bool frees_ratios(const darc_estimates *e, const darc_archive *a, int q)
{
    const darc_estimates_equation *eq = e->eq + q;
    bool free = a->session->io->eq[a->equation[q]].part->count > 1, does = true;
    for (int j = eq->first; j < eq->first + eq->coeffs; j++)
        does &= e->free[j] == (free && j != eq->reference);
    return does;
}

/* What holds of every fit. */
static bool is_whole(const darc_estimates *e, const darc_archive *a)
{
    bool whole = is_covariance(e->cov, e->coeffs) && e->error_dof > LEAST_DOF &&
                 e->ratio >= 0 && !(e->p_value < 0 || e->p_value > 1);
    for (int j = 0; j < e->coeffs; j++)
        whole &= isfinite(e->c[j]) && e->bias[j] >= 0;
    for (int q = 0; q < e->equations; q++)
        whole &= frees_ratios(e, a, q) &&
                 is_covariance(e->eq[q].gram, e->eq[q].coeffs) &&
                 e->eq[q].size >= 0 && !(e->eq[q].defect.defect < 0);
    return whole;
}

darc_status darc_archive_fit(darc_archive *a, int i, darc_estimates *e,
                             darc_err *err)
{
    darc_status status = DARC_OK;
    make_room(e, a);
    pthread_mutex_lock(&a->lock);
    for (int table = 0; table < 4 && status == DARC_OK; table++)
        status = get_rows(e, a, i, table, err);
    pthread_mutex_unlock(&a->lock);
    return status == DARC_OK && !is_whole(e, a) ? incomplete(a, i, err)
                                                : status;
}
