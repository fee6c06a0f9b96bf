#include "diagnose/isolate_trajectory.h"

#include "base/mem.h"

typedef struct {
    darc_trajectory *x;
    darc_comparing *c;
    const darc_forcing *f;
} trajectories;

static darc_status test(darc_decision *d, bool *free, void *user,
                        const bool *changed, double of, darc_err *err)
{
    trajectories *t = user;
    darc_trajectory *x = t->x;
    bool *may = darc_calloc((size_t)x->flow.params + 1, sizeof *may);
    darc_status status = DARC_OK;
    (void)of;
    for (int k = 0; k < x->flow.params && changed != NULL; k++) {
        int u = darc_trajectory_unknown(x, k);
        may[k] = u >= 0 && changed[u];
    }
    if (changed != NULL)
        status = darc_comparing_ask(t->c, x, may, err);
    *free = t->c->dof <= 0;
    if (status == DARC_OK)
        darc_verdict_compare(d, t->c, t->f, x, may);
    darc_free(may);
    return status;
}

/* Whether a recording tells of parameter k. */
static bool is_seen(const darc_trajectory *x, const darc_comparing *c, int k)
{
    for (int r = 0; r < x->runs; r++)
        if (c->differing[r * x->flow.params + k].known)
            return true;
    return false;
}

darc_status darc_isolate_trajectory(darc_isolate *out, darc_trajectory *x,
                                    darc_comparing *c, const darc_forcing *f,
                                    darc_err *err)
{
    size_t p = (size_t)x->flow.params + 1;
    int *parameter = darc_calloc(p, sizeof *parameter);
    trajectories t = {x, c, f};
    darc_isolate_search s = {.names = darc_model_names(x->question->model),
                             .parameter = parameter,
                             .test = test,
                             .user = &t,
                             .budget = x->question->budget};
    *out = (darc_isolate){.unseen_parameter =
                              darc_calloc(p, sizeof *out->unseen_parameter)};
    for (int k = 0; k < x->flow.params; k++) {
        int u = darc_trajectory_unknown(x, k);
        if (u >= 0 && is_seen(x, c, k))
            parameter[s.parameters++] = u;
        else if (u >= 0)
            out->unseen_parameter[out->unseen++] = u;
    }
    darc_status status = darc_isolate_find(out, &s, err);
    darc_free(parameter);
    if (status != DARC_OK)
        darc_isolate_clear(out);
    return status;
}
