#include "trajectory/lead.h"

#include "base/mem.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

/* Match the first `rows` samples of every piece that is apart. */
static darc_status match_beginnings(darc_match *m, size_t rows, bool signs,
                                    darc_err *err)
{
    size_t n = (size_t)m->flow->n, q = (size_t)m->flow->outputs;
    int pieces = 0, at = 0;
    for (int r = 0; r < m->runs; r++)
        pieces += m->pieces[r].nodes;
    darc_record *part = darc_calloc((size_t)pieces, sizeof *part);
    for (int r = 0; r < m->runs; r++)
        for (int k = 0; k < m->pieces[r].nodes; k++, at++) {
            size_t row = m->pieces[r].node[k], left = m->run[r].n - row;
            part[at] = m->run[r];
            part[at].piece = 0;
            part[at].n = rows < left ? rows : left;
            part[at].time += row;
            part[at].y += row * q;
            part[at].weight += row * q;
        }
    darc_match some;
    darc_match_init(&some, m->flow, part, pieces, NULL, m->budget);
    memcpy(some.theta, m->theta, (size_t)m->columns * sizeof *m->theta);
    memcpy(some.size, m->size, n * sizeof *m->size);
    some.ends = DARC_SEEK_ENDS;
    for (int r = 0, i = 0; r < m->runs; r++)
        for (int k = 0; k < m->pieces[r].nodes; k++, i++)
            memcpy(some.pieces[i].x, m->pieces[r].x + (size_t)k * n,
                   n * sizeof(double));
    darc_status status = darc_match_run(&some, DARC_SEEK_STEPS, signs, err);
    bool good = status == DARC_OK && some.square < HUGE_VAL;
    if (good)
        memcpy(m->theta, some.theta, (size_t)m->columns * sizeof *m->theta);
    for (int r = 0, i = 0; r < m->runs; r++)
        for (int k = 0; k < m->pieces[r].nodes && good; k++, i++)
            memcpy(m->pieces[r].x + (size_t)k * n, some.pieces[i].x,
                   n * sizeof(double));
    darc_match_clear(&some);
    darc_free(part);
    return status;
}

darc_status darc_match_lead(darc_match *m, bool signs, int steps, darc_err *err)
{
    if (!darc_match_cut(m, 0, true))
        return DARC_OK;
    for (int k = DARC_SEEK_PIECES; k > 1; k /= 2)
        DARC_NEED(match_beginnings(m, m->run->piece / (size_t)k, signs, err));
    return darc_match_run(m, steps, signs, err);
}
