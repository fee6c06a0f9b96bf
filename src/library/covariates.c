/* covariates.c - what lists and databases tell of the recordings of a campaign.
 */
#include "base/mem.h"
#include "diagnose/thresholds.h"
#include "files/number.h"
#include "library/campaign.h"
#include "library/told.h"

#include <math.h>

/* Set *value, to be freed, to what is told of recording i in that column; NULL:
 * nothing. */
static darc_status tell_covariate(char **value, const campaign *c, int i,
                                  const char *column, darc_err *err)
{
    if (c->archived)
        return darc_archive_told(value, &c->archive, i, column, err);
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
        c->groups = darc_told_number(c->of, c->group, n);
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
