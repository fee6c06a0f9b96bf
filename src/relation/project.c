#include "relation/project.h"

/* The work that eliminating state x by Q_j promises: a linear Q_j first,
 * then the terms of Q_j times the degrees in x it meets. */
static double cost(const darc_flow_t flow, int j, int i)
{
    const darc_ring_struct *ring = flow->ring;
    slong x = flow->x[i], degree = darc_ring_degree(flow->Q + j, x, ring);
    double meets = (double)degree;
    for (int k = 0; k < flow->s->states; k++)
        if (flow->alive[k]) {
            slong d = darc_ring_degree(flow->E + k, x, ring);
            meets += d > 0 ? (double)d : 0;
        }
    double power = 1;
    for (slong d = 1; d < degree; d++)
        power *= 100;
    return power * (double)flow->Q[j].length * meets;
}

darc_choice darc_project_choose(const darc_flow_t flow)
{
    darc_choice best = {-1, -1};
    double least = 0;
    for (int j = 0; j < flow->s->outputs; j++) {
        if (flow->order[j] == flow->target[j])
            continue;
        for (int i = 0; i < flow->s->states; i++) {
            if (!flow->alive[i] ||
                darc_ring_degree(flow->Q + j, flow->x[i], flow->ring) < 1)
                continue;
            double c = cost(flow, j, i);
            if (best.output < 0 || c < least) {
                best = (darc_choice){j, i};
                least = c;
            }
        }
    }
    return best;
}

darc_status darc_project_run(darc_flow_t flow, darc_err *err)
{
    for (;;) {
        darc_choice choice = darc_project_choose(flow);
        if (choice.output < 0)
            return DARC_OK;
        darc_status status = darc_flow_step(flow, choice, err);
        if (status != DARC_OK)
            return status;
    }
}
