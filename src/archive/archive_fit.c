/* archive_fit.c - fits as rows, and rows as fits. */
#include "archive/archive.h"

#include "base/mem.h"
#include "fit/weakfit.h"

#include <math.h>
#include <string.h>

static darc_status put_fit(const darc_sql *s, long long row, int e,
                           const darc_drift_fit *f, darc_err *err)
{
    return darc_sql_do(
        s, NULL, err,
        "INSERT INTO fit VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        "iiiiiiiidddddddddd", row, (long long)e, (long long)f->reference,
        (long long)f->unknowns, (long long)f->robust, (long long)f->misfit,
        (long long)f->open, (long long)f->useless, f->error_dof, f->lambda,
        f->doubt, f->defect, f->low, f->high, f->plain, f->q, f->dof,
        f->p_value);
}

static darc_status put_coefficient(const darc_archive *a, long long row, int e,
                                   const darc_drift_fit *f, int j,
                                   darc_err *err)
{
    darc_text_t name = DARC_TEXT;
    if (j != f->reference)
        darc_weakfit_ratio(name, a->session->io, e, j, f->reference, NULL);
    else
        darc_text_puts(name, "1");
    darc_status status = darc_sql_do(
        &a->sql, NULL, err, "INSERT INTO coefficient VALUES(?,?,?,?,?,?,?,?)",
        "iiitdddd", row, (long long)e, (long long)j, name->s, f->c[j],
        sqrt(f->cov[j * f->coeffs + j]), f->size[j], f->share[j]);
    darc_text_clear(name);
    for (int k = 0; k < f->coeffs && status == DARC_OK; k++)
        status = darc_sql_do(&a->sql, NULL, err,
                             "INSERT INTO covariance VALUES(?,?,?,?,?)",
                             "iiiid", row, (long long)e, (long long)j,
                             (long long)k, f->cov[j * f->coeffs + k]);
    return status;
}

static darc_status put_equation(const darc_archive *a, long long row, int e,
                                const darc_drift_fit *f, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(a->session->model);
    darc_status status = put_fit(&a->sql, row, e, f, err);
    for (int j = 0; j < f->coeffs && status == DARC_OK; j++)
        status = put_coefficient(a, row, e, f, j, err);
    for (int u = 0; u < f->unknowns && u < names->count && status == DARC_OK;
         u++)
        if (!isnan(f->noise[u]))
            status = darc_sql_do(
                &a->sql, NULL, err, "INSERT INTO noise VALUES(?,?,?,?)", "iitd",
                row, (long long)e, names->symbol[u].name, f->noise[u]);
    return status;
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
                          "INSERT INTO recording(campaign, position, file, "
                          "sha256, damage) VALUES(?,?,?,?,?)",
                          "idttt", a->campaign, x->position, x->file, hash,
                          damage);
    *there = status != DARC_OK &&
             (sqlite3_errcode(a->sql.db) & 0xff) == SQLITE_CONSTRAINT;
    if (status != DARC_OK && !*there)
        return darc_fail(err, own.status, "%s", own.message);
    return DARC_OK;
}

/* One transaction. */
static darc_status store(darc_archive *a, int i, const darc_drift_fit *fit,
                         const char *damage, darc_err *err)
{
    bool there = false;
    long long old = a->entry[i].row;
    darc_status status = darc_sql_exec(&a->sql, "BEGIN IMMEDIATE", err);
    if (status != DARC_OK)
        return status;
    DARC_TRY(put_recording(a, a->entry + i, damage, &there, err));
    for (int e = 0; fit != NULL && !there && e < a->session->io->count; e++)
        DARC_TRY(put_equation(a, a->entry[i].row, e, fit + e, err));
    status = there ? DARC_OK : darc_sql_exec(&a->sql, "COMMIT", err);
done:
    if (status != DARC_OK || there) {
        sqlite3_exec(a->sql.db, "ROLLBACK", NULL, NULL, NULL);
        a->entry[i].row = old;
    }
    return status;
}

darc_status darc_archive_keep(darc_archive *a, int i, const darc_drift_fit *fit,
                              const char *damage, darc_err *err)
{
    if (a->entry[i].known)
        return DARC_OK;
    pthread_mutex_lock(&a->lock);
    darc_status status = store(a, i, fit, fit == NULL ? damage : NULL, err);
    pthread_mutex_unlock(&a->lock);
    return status;
}

static void get_fit(darc_drift_fit *f, sqlite3_stmt *q, int coeffs)
{
    size_t n = (size_t)coeffs;
    *f = (darc_drift_fit){.coeffs = coeffs,
                          .reference = sqlite3_column_int(q, 0),
                          .unknowns = sqlite3_column_int(q, 1),
                          .robust = sqlite3_column_int(q, 2) != 0,
                          .misfit = sqlite3_column_int(q, 3) != 0,
                          .open = sqlite3_column_int(q, 4) != 0,
                          .useless = sqlite3_column_int(q, 5) != 0,
                          .error_dof = darc_sql_double(q, 6),
                          .lambda = darc_sql_double(q, 7),
                          .doubt = darc_sql_double(q, 8),
                          .defect = darc_sql_double(q, 9),
                          .low = darc_sql_double(q, 10),
                          .high = darc_sql_double(q, 11),
                          .plain = darc_sql_double(q, 12),
                          .q = darc_sql_double(q, 13),
                          .dof = darc_sql_double(q, 14),
                          .p_value = darc_sql_double(q, 15)};
    if (f->unknowns < 0 || f->unknowns > 1 << 20)
        f->unknowns = 0;
    f->c = darc_calloc(n, sizeof *f->c);
    f->size = darc_calloc(n, sizeof *f->size);
    f->share = darc_calloc(n, sizeof *f->share);
    f->cov = darc_calloc(n * n, sizeof *f->cov);
    f->noise = darc_calloc((size_t)f->unknowns, sizeof *f->noise);
    for (int u = 0; u < f->unknowns; u++)
        f->noise[u] = NAN;
}

/* Read the rows of a query into f; *rows counts those that fit in. */
static darc_status get_rows(const darc_archive *a, sqlite3_stmt *q,
                            darc_drift_fit *f, int *rows, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(a->session->model);
    bool more = true;
    for (*rows = 0;;) {
        darc_status status = darc_sql_next(&a->sql, &q, &more, err);
        if (status != DARC_OK || !more)
            return status;
        int kind = sqlite3_column_int(q, 0), j = sqlite3_column_int(q, 1);
        int k = sqlite3_column_int(q, 2);
        const char *name = (const char *)sqlite3_column_text(q, 6);
        int u = kind == 2 && name != NULL
                    ? darc_names_find(names, name, strlen(name))
                    : -1;
        if (u >= 0 && u < f->unknowns)
            f->noise[u] = darc_sql_double(q, 3);
        if (kind == 2 || j < 0 || j >= f->coeffs || k < 0 || k >= f->coeffs)
            continue;
        ++*rows;
        if (kind == 1) {
            f->cov[j * f->coeffs + k] = darc_sql_double(q, 3);
            continue;
        }
        f->c[j] = darc_sql_double(q, 3);
        f->size[j] = darc_sql_double(q, 4);
        f->share[j] = darc_sql_double(q, 5);
    }
}

static darc_status incomplete(const darc_archive *a, int i, darc_err *err)
{
    return darc_fail(err, DARC_DATA,
                     "%s: error: the fit of '%s' is incomplete; restore the "
                     "database from a copy, or delete this recording from it",
                     a->sql.file, a->entry[i].file);
}

static darc_status get_equation(const darc_archive *a, int i, int e,
                                darc_drift_fit *f, darc_err *err)
{
    long long row = a->entry[i].row, number = e;
    int rows, n = (int)a->session->io->eq[e].part->count;
    bool more;
    sqlite3_stmt *q;
    darc_status status;
    DARC_TRY(darc_sql_query(
        &a->sql, &q, err,
        "SELECT reference, unknowns, robust, misfit, open, useless, error_dof, "
        "lambda,"
        " doubt, defect, defect_low, defect_high, plain, statistic, dof,"
        " p_value FROM fit WHERE recording = ? AND equation = ?",
        "ii", row, number));
    DARC_TRY(darc_sql_next(&a->sql, &q, &more, err));
    if (!more)
        return incomplete(a, i, err);
    get_fit(f, q, n);
    sqlite3_finalize(q);
    DARC_TRY(darc_sql_query(
        &a->sql, &q, err,
        "SELECT 0, coefficient, 0, value, size, share, NULL FROM coefficient"
        " WHERE recording = ?1 AND equation = ?2 UNION ALL "
        "SELECT 1, a, b, value, NULL, NULL, NULL FROM covariance"
        " WHERE recording = ?1 AND equation = ?2 UNION ALL "
        "SELECT 2, 0, 0, sd, NULL, NULL, signal FROM noise"
        " WHERE recording = ?1 AND equation = ?2",
        "ii", row, number));
    DARC_TRY(get_rows(a, q, f, &rows, err));
    if (rows != n + n * n ||
        f->reference != darc_weakfit_reference(a->session->io, e))
        status = incomplete(a, i, err);
done:
    return status;
}

darc_status darc_archive_fits(darc_archive *a, int i, darc_drift_fit *fit,
                              darc_err *err)
{
    darc_status status = DARC_OK;
    pthread_mutex_lock(&a->lock);
    for (int e = 0; e < a->session->io->count && status == DARC_OK; e++)
        status = get_equation(a, i, e, fit + e, err);
    pthread_mutex_unlock(&a->lock);
    return status;
}
