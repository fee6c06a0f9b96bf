#include "base/mem.h"
#include "diagnose/drift_sequence.h"

#include <math.h>

/* Set member to all recordings, group by group and in order of time, and
 * begin[g] (a place more than there are groups) to where those of g begin. */
static void list_members(int *member, int *begin,
                         const darc_drift_comparison *c, int groups)
{
    for (int i = 0; i < c->recordings; i++)
        begin[c->groups > 0 ? c->group[i] + 1 : 1]++;
    for (int g = 0; g < groups; g++)
        begin[g + 1] += begin[g];
    int *next = darc_calloc((size_t)groups, sizeof *next);
    for (int i = 0; i < c->recordings; i++) {
        int g = c->groups > 0 ? c->group[i] : 0;
        member[begin[g] + next[g]++] = i;
    }
    darc_free(next);
}

/* Return the place of the baseline among n recordings, -1: it is not known.  It
 * is the reference, or the first that can be used of which covariates are told,
 * or of any where they are told of none. */
static int find_baseline(const darc_drift_comparison *c, const int *member,
                         int n)
{
    int first = -1;
    bool told = false;
    for (int k = 0; k < n; k++) {
        int i = member[k];
        if (i == c->reference)
            return c->fit[i] != NULL ? k : -1;
        bool better = first < 0 || (!told && darc_drift_is_told(c, i));
        if (c->error[i] != NULL || !better)
            continue;
        told = darc_drift_is_told(c, i);
        first = k;
    }
    return first >= 0 && c->fit[member[first]] != NULL ? first : -1;
}

/* Nothing is compared: damaged, or not looked at yet. */
static void leave_group(darc_drift *out, const darc_drift_comparison *c,
                        const int *member, int n)
{
    for (int k = 0; k < n; k++) {
        int i = member[k];
        darc_drift_recording *r = out->recording + i;
        *r = (darc_drift_recording){.damaged = c->error[i] != NULL,
                                    .fault = c->fault[i],
                                    .pending = c->error[i] == NULL,
                                    .verdict = DARC_UNDECIDED,
                                    .p_value = NAN,
                                    .baseline = member[0]};
        r->error = r->damaged ? darc_strdup(c->error[i]) : NULL;
        out->damaged += r->damaged;
    }
}

/* Bonferroni's correction. */
static void correct(darc_drift_recording *r, int functions, int groups)
{
    r->p_value = r->p_value * groups > 1 ? 1 : r->p_value * groups;
    for (int j = 0; j < functions && r->change != NULL; j++) {
        double p = r->change[j].p_value * groups;
        r->change[j].p_value = p > 1 ? 1 : p;
    }
}

/* Take the comparison of a group over, whose recordings are those of member. */
static void take_group(darc_drift *out, darc_drift *part, const int *member,
                       int groups)
{
    int baseline = member[part->reference];
    for (int k = 0; k < part->recordings; k++) {
        darc_drift_recording *r = out->recording + member[k];
        *r = part->recording[k];
        r->baseline = baseline;
        part->recording[k] = (darc_drift_recording){.change = NULL};
        correct(r, part->functions, groups);
    }
    for (int k = 0; k < part->points; k++) {
        darc_change_point *x = part->point + k;
        x->recording = member[x->recording];
        DARC_APPEND(out->point, out->points, *x);
    }
    for (int k = 0; k < part->trends; k++) {
        DARC_EACH_IN(DARC_ROOM, out->trends, out->trend, out->trend_baseline);
        out->trend_baseline[out->trends] = baseline;
        out->trend[out->trends++] = part->trend[k];
    }
    for (int k = 0; k < part->slopes; k++) {
        part->slope[k].baseline = baseline;
        DARC_APPEND(out->slope, out->slopes, part->slope[k]);
    }
    for (int k = 0; k < part->doubts; k++) {
        darc_change_doubt *x = part->doubt + k;
        x->recording = x->recording < 0 ? -1 : member[x->recording];
        x->baseline = baseline;
        DARC_APPEND(out->doubt, out->doubts, *x);
    }
    for (int k = 0; k < part->blinds; k++) {
        darc_drift_blind *x = part->blind + k;
        x->recording = member[x->recording];
        DARC_APPEND(out->blind, out->blinds, *x);
    }
    out->damaged += part->damaged;
    if (out->function == NULL) {
        DARC_SAME(out, part, functions, function, equation);
        part->functions = 0;
        part->function = NULL;
        part->equation = NULL;
    }
    darc_drift_clear(part);
}

/* Compare the recordings of member with that at `reference` of them. */
static void compare_group(darc_drift *out, const darc_drift_comparison *c,
                          const int *member, int n, int reference)
{
    int groups = c->groups > 0 ? c->groups : 1;
    darc_criteria by = *c->x->by;
    darc_question x = *c->x;
    darc_drift part;
    by.alpha /= groups;
    x.by = &by;
    const darc_estimates **fit = darc_calloc((size_t)n, sizeof *fit);
    char **error = darc_calloc((size_t)n, sizeof *error);
    darc_status *fault = darc_calloc((size_t)n, sizeof *fault);
    size_t q = (size_t)c->covariates;
    double *covariate = darc_calloc((size_t)n * q + 1, sizeof *covariate);
    for (int k = 0; k < n; k++) {
        fit[k] = c->fit[member[k]];
        error[k] = c->error[member[k]];
        fault[k] = c->fault[member[k]];
        for (size_t r = 0; r < q; r++)
            covariate[(size_t)k * q + r] =
                c->covariate[(size_t)member[k] * q + r];
    }
    darc_drift_comparison k = {.x = &x,
                               .recordings = n,
                               .reference = reference,
                               .fit = fit,
                               .error = error,
                               .fault = fault,
                               .bind = c->bind,
                               .by_parameters = c->by_parameters,
                               .covariates = c->covariates,
                               .covariate = covariate};
    darc_drift_compare(&part, &k);
    take_group(out, &part, member, groups);
    DARC_FREE((void *)fit, error, fault, covariate);
}

void darc_drift_compare_groups(darc_drift *out, const darc_drift_comparison *c)
{
    int groups = c->groups > 0 ? c->groups : 1;
    *out = (darc_drift){.recordings = c->recordings, .reference = c->reference};
    out->recording = darc_calloc((size_t)c->recordings, sizeof *out->recording);
    int *member = darc_calloc((size_t)c->recordings, sizeof *member);
    int *begin = darc_calloc((size_t)groups + 1, sizeof *begin);
    list_members(member, begin, c, groups);
    for (int g = 0; g < groups; g++) {
        const int *own = member + begin[g];
        int n = begin[g + 1] - begin[g], reference = find_baseline(c, own, n);
        if (reference < 0)
            leave_group(out, c, own, n);
        else
            compare_group(out, c, own, n, reference);
    }
    DARC_FREE(member, begin);
}
