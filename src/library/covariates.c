/* covariates.c - what lists and databases tell of the recordings of a campaign.
 */
#include "base/mem.h"
#include "diagnose/thresholds.h"
#include "files/number.h"
#include "library/campaign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is told of a recording in the column of groups. */
typedef struct {
    const char *name;
    int i;
} member;

static int by_name(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c != 0 ? c : (x->i > y->i) - (x->i < y->i);
}

/* Set of[i] to the number of the group of each of n recordings, in the order in
 * which they come; return how many there are. */
static int number_groups(int *of, char *const *group, int n)
{
    int groups = 0;
    member *m = darc_calloc((size_t)n, sizeof *m);
    for (int i = 0; i < n; i++)
        m[i] = (member){group[i], i};
    qsort(m, (size_t)n, sizeof *m, by_name);
    for (int k = 0, first = 0; k < n; k++) {
        first = strcmp(m[k].name, m[first].name) == 0 ? first : k;
        of[m[k].i] = m[first].i;
    }
    for (int i = 0; i < n; i++)
        of[i] = of[i] == i ? groups++ : of[of[i]];
    darc_free(m);
    return groups;
}

/* Set *value, to be freed, to what the list, or one of an earlier run, tells of
 * entry i in that column; NULL: nothing. */
static darc_status told_of(char **value, const darc_archive *a, int i,
                           const char *name, darc_err *err)
{
    const darc_archive_entry *x = a->entry + i;
    const char *told = darc_listing_cell(a->list, x->given - 1,
                                         darc_listing_column(a->list, name));
    sqlite3_stmt *query;
    *value = told != NULL ? darc_strdup(told) : NULL;
    if (told != NULL || x->row == 0)
        return DARC_OK;
    DARC_NEED(darc_sql_query(
        &a->sql, &query, err,
        "SELECT value FROM told WHERE recording = ? AND name = ?", "it", x->row,
        name));
    *value = query != NULL ? darc_sql_text(query, 0) : NULL;
    sqlite3_finalize(query);
    return DARC_OK;
}

/* Set *value, to be freed, to what is told of recording i in that column; NULL:
 * nothing. */
static darc_status tell_covariate(char **value, const campaign *c, int i,
                                  const char *column, darc_err *err)
{
    if (c->archived)
        return told_of(value, &c->archive, i, column, err);
    const char *cell =
        darc_listing_cell(&c->files, i, darc_listing_column(&c->files, column));
    *value = cell != NULL ? darc_strdup(cell) : NULL;
    return DARC_OK;
}

darc_status darc_campaign_groups(campaign *c, int n, darc_err *err)
{
    const darc_options *o = &c->session->asked->options;
    const char *column = darc_option_text(o, DARC_OPT_GROUP);
    darc_status status = DARC_OK;
    bool told = false;
    c->shown.group_column = column;
    if (column == NULL)
        return DARC_OK;
    c->group = darc_calloc((size_t)n, sizeof *c->group);
    for (int i = 0; i < n && status == DARC_OK; i++) {
        status = tell_covariate(c->group + i, c, i, column, err);
        told = told || c->group[i] != NULL;
        if (c->group[i] == NULL)
            c->group[i] = darc_strdup("");
    }
    if (status == DARC_OK && !told)
        status = darc_fail(err, DARC_USAGE,
                           "--group: no list has a column '%s' that tells of "
                           "these recordings",
                           column);
    if (status == DARC_OK && darc_option_given(o, DARC_OPT_BASELINE) &&
        c->group[c->reference][0] == '\0')
        status = darc_fail(err, DARC_USAGE,
                           "--group: nothing is told of the baseline '%s' in "
                           "column '%s' of the list",
                           c->listed[c->reference], column);
    c->of = darc_calloc((size_t)n, sizeof *c->of);
    if (status == DARC_OK)
        c->groups = number_groups(c->of, c->group, n);
    return status;
}

/* A number, with a decimal comma if need be. */
static bool read_number(double *x, const char *s)
{
    const char *end = darc_number_read_exact(x, s, '.');
    if (*end == ',')
        end = darc_number_read_exact(x, s, ',');
    return end > s && *end == '\0' && isfinite(*x);
}

/* Find covariate r of each of n recordings. */
static darc_status find_covariate(campaign *c, int r, int n, darc_err *err)
{
    const char *column = c->columns.name[r];
    int missing = 0, first = -1;
    darc_status status = DARC_OK;
    for (int i = 0; i < n; i++) {
        double *x = c->covariate + i * c->columns.count + r;
        char *value = NULL;
        *x = NAN;
        DARC_NEED(tell_covariate(&value, c, i, column, err));
        if (value == NULL && missing++ == 0)
            first = i;
        if (value != NULL && !read_number(x, value))
            status =
                darc_fail(err, DARC_DATA,
                          "--covariate: the list tells of '%s' the %s '%s', "
                          "which is no number",
                          c->listed[i], column, value);
        darc_free(value);
        DARC_NEED(status);
    }
    if (missing == n)
        return darc_fail(err, DARC_USAGE,
                         "--covariate: no list has a column '%s' that tells of "
                         "these recordings",
                         column);
    if (isnan(c->covariate[c->reference * c->columns.count + r]))
        return darc_fail(err, DARC_USAGE,
                         "--covariate: nothing is told of the baseline '%s' in "
                         "column '%s' of the list; choose another one with "
                         "--baseline",
                         c->listed[c->reference], column);
    if (missing > 0)
        darc_session_note(c->session,
                          "nothing is told of the %s of %d recording%s (%s%s): "
                          "undecided, and left out of the course",
                          column, missing, missing == 1 ? "" : "s",
                          c->listed[first], missing > 1 ? ", ..." : "");
    return DARC_OK;
}

darc_status darc_campaign_covariates(campaign *c, int n, darc_err *err)
{
    int q = c->columns.count;
    if (q > DARC_COVARIATES)
        return darc_fail(err, DARC_USAGE,
                         "--covariate: %d columns, more than %d", q,
                         DARC_COVARIATES);
    c->covariate = darc_calloc((size_t)(n * q) + 1, sizeof *c->covariate);
    for (int r = 0; r < q; r++)
        DARC_NEED(find_covariate(c, r, n, err));
    return DARC_OK;
}

/* Note covariate r where recordings held against the same baseline do not tell
 * what it does; slopes come group by group. */
static void note_silent(darc_session *s, const darc_campaign *c, int r)
{
    int silent = 0, groups = 0, first = -1;
    for (int k = 0, end; k < c->slopes; k = end) {
        int baseline = c->slope[k].baseline;
        bool tells = false;
        for (end = k; end < c->slopes && c->slope[end].baseline == baseline;
             end++)
            tells = tells || (c->slope[end].covariate == r &&
                              !isnan(c->slope[end].relative));
        groups++;
        if (!tells && silent++ == 0)
            first = baseline;
    }
    if (silent == 0)
        return;
    darc_text_t of = DARC_TEXT;
    if (c->group != NULL)
        darc_text_printf(of, " in %d of %d groups (%s %s%s)", silent, groups,
                         c->group_column, c->group[first],
                         silent > 1 ? ", ..." : "");
    darc_session_note(s,
                      "what goes with %s is not told by the recordings%s: it "
                      "is the same in all, or moves with what else does; their "
                      "values count as measured",
                      c->covariate[r], of->s);
    darc_text_clear(of);
}

static void note_blind(darc_session *s, const darc_campaign *c,
                       const darc_drift *d)
{
    const darc_drift_blind *x = d->blind;
    char seen[60] = "is not found";
    for (int k = 1; k < d->blinds; k++)
        if (d->blind[k].beside * x->alone > x->beside * d->blind[k].alone)
            x = d->blind + k;
    if (d->blinds == 0)
        return;
    const char *name = c->covariate[x->covariate];
    if (!isinf(x->beside))
        snprintf(seen, sizeof seen, "is found from %s on",
                 darc_percent_of(x->beside).text);
    darc_text_t of = DARC_TEXT;
    if (c->group != NULL)
        darc_text_printf(of, " (%s %s%s)", c->group_column,
                         c->group[x->recording],
                         d->blinds > 1 ? ", and other groups" : "");
    darc_session_note(s,
                      "%s moves with %s%s: a change of %s that begins there "
                      "%s, from %s on were %s as before",
                      name, c->recording[x->recording].file, of->s,
                      c->function[x->function], seen,
                      darc_percent_of(x->alone).text, name);
    darc_text_clear(of);
}

void darc_campaign_note(darc_session *s, const darc_campaign *c,
                        const darc_drift *d)
{
    for (int r = 0; r < c->covariates; r++)
        note_silent(s, c, r);
    note_blind(s, c, d);
}
