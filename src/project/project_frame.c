#include "base/mem.h"
#include "project/project.h"

void darc_project_frame(darc_ioeqs_t out, const darc_solved_t s,
                        const int *target)
{
    const darc_names_struct *names = s->jet->names;
    int *bound = darc_calloc((size_t)names->count, sizeof *bound), top = 0;
    for (int j = 0; j < s->outputs; j++)
        top = target[j] > top ? target[j] : top;
    for (int u = 0; u < names->count; u++)
        bound[u] =
            s->jet->bound[u] + (names->symbol[u].kind == DARC_INPUT ? top : 0);
    for (int j = 0; j < s->outputs; j++)
        bound[s->output[j]] = target[j];
    darc_ranking_t rk;
    darc_names_t copy;
    darc_names_init(copy);
    darc_names_set(copy, names);
    darc_ranking_init(rk, names->count);
    darc_ranking_set(rk, out->jet->ranking);
    darc_ioeqs_clear(out);
    darc_ioeqs_init_frame(out, copy, rk, bound);
    darc_ranking_clear(rk);
    darc_names_clear(copy);
    darc_free(bound);
}

darc_status darc_project_inequations(darc_ioeqs_t out, const darc_solved_t s,
                                     darc_err *err)
{
    darc_status status = DARC_OK;
    for (slong i = 0; i < s->inequations->count && status == DARC_OK; i++) {
        darc_dpoly_t q;
        darc_dpoly_init(q, out->jet);
        status =
            darc_dpoly_move(q, out->jet, s->inequations->p + i, s->jet, err);
        if (status == DARC_OK)
            darc_dpolys_append_take(out->inequations, q, out->jet);
        darc_dpoly_clear(q, out->jet);
    }
    return status;
}
