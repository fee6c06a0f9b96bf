#include "diagnose/drift_trajectory.h"

#include "base/mem.h"
#include "decide/judgement.h"
#include "diagnose/answer_trajectory.h"
#include "diagnose/drift_compare.h"
#include "diagnose/together.h"
#include "trajectory/verdict.h"

#include <math.h>
#include <string.h>

/* What callbacks need; recordings are those of x, of which fit[r] is that of
 * recording r. */
typedef struct {
    darc_trajectory *x;
    const darc_comparing *c; /* each by itself */
    const darc_estimates *fit;
    darc_decision *structure; /* of each; owned */
    darc_together together;
    darc_status status;
    darc_err err;
} campaign;

static const char *name(void *user, int k)
{
    const darc_flow *w = &((campaign *)user)->x->flow;
    return w->names->symbol[w->param[k]].name;
}

static bool vanishing(void *user, int k)
{
    const darc_flow *w = &((campaign *)user)->x->flow;
    return darc_model_may_be_zero(w->model, w->param[k]);
}

/* Return which recording e is of; what is adjusted for covariates is a copy. */
static int recording_of(const campaign *c, const darc_estimates *e)
{
    int r = 0;
    while (c->fit[r].eq != e->eq)
        r++;
    return r;
}

static darc_verdict structure(void *user, const darc_estimates *e)
{
    const campaign *c = user;
    return c->structure[recording_of(c, e)].verdict;
}

/* Set the structure of recording r. */
static void judge_structure(campaign *c, int r)
{
    darc_trajectory whole;
    darc_comparing part;
    darc_forcing f;
    darc_decision *d = c->structure + r;
    *d = darc_decision_none(c->x->question->alpha, c->x->question->tolerance);
    if (c->status != DARC_OK)
        return;
    c->status = darc_comparing_part(
        &part, c->x, &whole, &(darc_comparing_some){c->c, &r, 1}, &c->err);
    if (c->status == DARC_OK)
        c->status = darc_forcing_init(&f, c->x, &c->err);
    if (c->status == DARC_OK) {
        darc_verdict_structure(d, &f, c->x, NAN);
        darc_forcing_clear(&f);
    }
    darc_comparing_clear(&part);
    darc_comparing_join(c->x, &whole);
}

/* Set d to the verdict on a pair: by the likelihood, or (adjusted) by
 * estimates. */
static void compare(darc_decision *d, campaign *c, const darc_estimates *a,
                    const darc_estimates *b, bool adjusted)
{
    const darc_forcing none = {.equations = 0};
    const int which[] = {recording_of(c, a), recording_of(c, b)};
    darc_trajectory *x = c->x, whole;
    darc_comparing part;
    *d = darc_decision_none(x->question->alpha, x->question->tolerance);
    if (c->status != DARC_OK)
        return;
    c->status = darc_comparing_part(
        &part, x, &whole, &(darc_comparing_some){c->c, which, 2}, &c->err);
    if (adjusted) {
        darc_comparing_clear(&part);
        darc_comparing_estimates(&part, x, a, b);
    }
    if (c->status == DARC_OK)
        darc_verdict_compare(d, &part, &none, x, NULL);
    darc_comparing_clear(&part);
    darc_comparing_join(x, &whole);
}

static void judge(void *user, darc_drift_recording *to, const darc_estimates *a,
                  const darc_estimates *b, double alpha)
{
    campaign *c = user;
    const darc_trajectory_question *asked = c->x->question;
    darc_trajectory_question own = *asked;
    darc_decision d;
    bool adjusted =
        a != c->fit + recording_of(c, a) || b != c->fit + recording_of(c, b);
    own.alpha = alpha;
    c->x->question = &own;
    compare(&d, c, a, b, adjusted);
    c->x->question = asked;
    to->p_value = d.p_value;
    to->verdict = structure(c, a) == DARC_INCONSISTENT ||
                          structure(c, b) == DARC_INCONSISTENT
                      ? DARC_UNDECIDED
                      : d.verdict;
}

/* Return the recordings that e are of, to be freed. */
static int *recordings_of(const campaign *c, const darc_estimates *const *e,
                          int n)
{
    int *which = darc_malloc((size_t)n * sizeof *which);
    for (int i = 0; i < n; i++)
        which[i] = recording_of(c, e[i]);
    return which;
}

static bool part_at(void *user, const darc_estimates *const *e, int n,
                    int first, darc_parted *out)
{
    campaign *c = user;
    int *which = recordings_of(c, e, n);
    if (c->status == DARC_OK)
        c->status =
            darc_together_part(out, &c->together, which, n, first, &c->err);
    darc_free(which);
    return c->status == DARC_OK;
}

static double together(void *user, const darc_estimates *const *e, int n, int k,
                       double *value, double *sd)
{
    campaign *c = user;
    const darc_shared *s = NULL;
    int *which = recordings_of(c, e, n);
    if (c->status == DARC_OK)
        c->status = darc_together_ask(&s, &c->together, which, n, &c->err);
    darc_free(which);
    bool known = s != NULL && c->status == DARC_OK;
    *value = known ? s->value[k] : NAN;
    *sd = known ? s->sd[k] : HUGE_VAL;
    if (known && darc_trajectory_unsure(c->x))
        return 0; /* nothing is gained by steps */
    return known ? s->square : HUGE_VAL;
}

/* Set out by what is known of x; of[i] is the recording of x that recording i
 * of the source is, -1: none. */
static darc_status follow_all(darc_drift *out, darc_trajectory *x,
                              const darc_drift_source *source, const int *of,
                              char *const *error, darc_err *err)
{
    darc_comparing c;
    size_t n = (size_t)source->recordings;
    darc_estimates *fit = darc_calloc(n, sizeof *fit);
    const darc_estimates **list = darc_calloc(n, sizeof *list);
    darc_status *fault = darc_calloc(n, sizeof *fault), status;
    campaign own = {
        .x = x, .c = &c, .fit = fit, .together = {.x = x, .all = &c}};
    darc_criteria by;
    darc_criteria_init(&by);
    DARC_SAME(&by, x->question, alpha, tolerance);
    own.structure = darc_calloc(n, sizeof *own.structure);
    darc_err_init(&own.err);
    DARC_TRY(darc_comparing_init(&c, x, NULL, err));
    DARC_TRY(darc_trajectory_estimates(fit, x, &c, err));
    for (int r = 0; r < x->runs; r++)
        judge_structure(&own, r);
    for (size_t i = 0; i < n; i++)
        list[i] = of[i] >= 0 ? fit + of[i] : NULL;
    const darc_drift_parameters pairs = {&own,  name,     vanishing, structure,
                                         judge, together, part_at};
    const darc_question question = {.by = &by};
    darc_drift_compare_groups(
        out, &(darc_drift_comparison){.x = &question,
                                      .recordings = source->recordings,
                                      .reference = source->reference,
                                      .fit = list,
                                      .error = error,
                                      .fault = fault,
                                      .by_parameters = &pairs,
                                      .groups = source->groups,
                                      .group = source->group,
                                      .covariates = source->covariates,
                                      .covariate = source->covariate});
    status = own.status;
    if (status != DARC_OK) {
        darc_drift_clear(out);
        darc_fail(err, status, "%s", own.err.message);
    }
done:
    DARC_ALL(darc_estimates_clear, fit, x->runs);
    darc_together_clear(&own.together);
    darc_comparing_clear(&c);
    DARC_FREE(fit, (void *)list, fault, own.structure);
    return status;
}

darc_status darc_drift_trajectory(darc_drift *out,
                                  const darc_trajectory_question *question,
                                  const darc_drift_source *source,
                                  char *const *error, darc_err *err)
{
    darc_trajectory_question q = *question;
    darc_trajectory x;
    size_t n = (size_t)source->recordings;
    if (error[source->reference] != NULL)
        return darc_fail(err, DARC_DATA, "the reference cannot be used: %s",
                         error[source->reference]);
    const darc_table **table = darc_calloc(n, sizeof *table);
    int *of = darc_calloc(n, sizeof *of);
    q.table = table;
    q.recordings = 0;
    for (size_t i = 0; i < n; i++) {
        of[i] = error[i] == NULL ? q.recordings : -1;
        if (of[i] >= 0)
            table[q.recordings++] = question->table[i];
    }
    darc_status status = darc_trajectory_init(&x, &q, err);
    if (status == DARC_OK) {
        status = follow_all(out, &x, source, of, error, err);
        darc_trajectory_clear(&x);
    }
    DARC_FREE((void *)table, of);
    return status;
}
