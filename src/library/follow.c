/* follow.c - a campaign by the weak form, or by trajectories. */
#include "base/mem.h"
#include "data/table.h"
#include "diagnose/drift_trajectory.h"
#include "library/campaign.h"
#include "session/hold_trajectory.h"

/* Follow recordings by their trajectories; those of `auto`, where the weak form
 * does not apply (why), only if all are short. */
static darc_status follow_trajectories(campaign *c,
                                       const darc_drift_source *source,
                                       const darc_err *why, darc_err *err)
{
    darc_session *s = c->session;
    size_t n = (size_t)source->recordings;
    darc_table **table = darc_calloc(n, sizeof *table);
    char **error = darc_calloc(n, sizeof *error);
    darc_trajectory_question q;
    darc_status status = darc_budget_check(s->budget, err);
    bool suits = why == NULL || darc_hold_trajectory_suits(s, false);
    for (size_t i = 0; i < n && status == DARC_OK && suits; i++) {
        darc_err own = {DARC_OK, ""};
        darc_drift_data data = {.table = NULL};
        if (source->load(c, (int)i, &data, &own) != DARC_OK)
            error[i] = darc_strdup(own.message);
        table[i] = data.table;
        suits = why == NULL || data.table == NULL ||
                data.table->samples <= DARC_TRAJECTORY_SAMPLES;
        status = darc_budget_check(s->budget, err);
    }
    darc_hold_trajectory_ask(&q, s);
    q.table = (const darc_table *const *)table;
    if (status == DARC_OK && suits)
        status = darc_drift_trajectory(&c->drift, &q, source, error, err);
    else if (status == DARC_OK)
        status = darc_fail(err, why->status, "%s", why->message);
    DARC_ALL_OF(darc_table_free, table, n);
    DARC_FREE_EACH(error, n);
    DARC_FREE((void *)table, error);
    return status;
}

darc_status darc_campaign_follow(campaign *c, const darc_question *x,
                                 const darc_drift_source *source, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    int method = c->session->set.method;
    if (method == DARC_METHOD_TRAJECTORY && (c->archived || c->fleet != NULL))
        return darc_fail(err, DARC_USAGE,
                         "--method trajectory fits all recordings together, "
                         "in one process: without --db and mpirun");
    if (method == DARC_METHOD_TRAJECTORY)
        return follow_trajectories(c, source, NULL, err);
    darc_status status = darc_drift_run(&c->drift, x, source, &why);
    if (status == DARC_OK)
        return DARC_OK;
    if (method == DARC_METHOD_AUTO && !c->archived && c->fleet == NULL &&
        (status == DARC_DATA || status == DARC_DOMAIN) &&
        follow_trajectories(c, source, &why, NULL) == DARC_OK) {
        darc_session_note(c->session,
                          "the weak form does not apply (%s): by trajectories",
                          why.message);
        return DARC_OK;
    }
    return darc_fail_as(err, status, &why);
}
