/* comparison.c - can both recordings come of the same parameters, or of those
 * that differ as is said? */
#include "decide/pair.h"
#include "decide/thresholds.h"

#include <math.h>

bool darc_pair_align(darc_estimates *a, darc_estimates *b)
{
    for (int q = 0; q < a->equations; q++)
        if (a->free[a->eq[q].first] != b->free[b->eq[q].first] ||
            a->eq[q].reference != b->eq[q].reference)
            if (!darc_estimates_refer(b, q, a->eq[q].reference))
                return false;
    return true;
}

static void note_structure(darc_judgement *out, const darc_pair *p)
{
    for (int i = 0; i < 2; i++) {
        const darc_estimates *e = i == 0 ? p->a : p->b;
        for (int q = 0; q < e->equations; q++)
            if (isfinite(e->eq[q].defect.high))
                darc_judgement_detail(
                    out,
                    "recording %c: structure leaves %.3g %% unexplained (%.3g "
                    "to %.3g %%)",
                    'A' + i, 100 * e->eq[q].defect.defect,
                    100 * e->eq[q].defect.low, 100 * e->eq[q].defect.high);
    }
}

static void note_origins(darc_judgement *out, const darc_pair *p)
{
    double d, sd;
    for (int q = 0; q < p->a->equations; q++)
        if (darc_pair_moves_origin(p, q, &d, &sd))
            darc_judgement_note(
                out,
                "the free constant differs, by %.3g (%.1f standard "
                "deviations): the origin of a signal may have moved; it "
                "is not compared",
                d, fabs(d) / sd);
}

static darc_status judge_readings(darc_judgement *out, darc_pair *p,
                                  const bool *changed, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_blackbox_t g = {{0}};
    const darc_question *x = p->x;
    for (int i = 0; i < x->io->count && changed != NULL; i++)
        if (!x->io->eq[i].expanded && p->g == NULL) {
            DARC_TRY(darc_blackbox_init(g, x->io, x->model, x->budget, err));
            p->g = g;
            p->work = DARC_PAIR_WORK;
        }
    DARC_TRY(darc_pair_test(&out->decision, &out->untested, p, changed, err));
    if (out->decision.verdict == DARC_INCONSISTENT &&
        (p->a->simple || p->b->simple)) { /* they may agree, but not differ */
        darc_decision_say(&out->decision, DARC_UNDECIDED,
                          "the signals of a recording are too simple (a single "
                          "sine?) to tell a change; excite more frequencies");
        darc_decision_finish(&out->decision);
    }
    for (int q = 0; q < out->equations; q++)
        out->equation[q].decision = out->decision;
    darc_judgement_list(out, x, p->a, p->b);
    note_structure(out, p);
    note_origins(out, p);
done:
    darc_blackbox_clear(g);
    return status;
}

darc_status darc_judge_pair(darc_judgement *out, const darc_question *x,
                            const darc_table *const table[2],
                            const bool *changed, darc_err *err)
{
    darc_fit f[2] = {{.weak = NULL}, {.weak = NULL}};
    darc_estimates e[2] = {{0}};
    darc_status status = DARC_OK;
    bool idle = false;
    darc_bindings bind = {0};
    darc_err why;
    darc_err_init(&why);
    *out = (darc_judgement){0};
    DARC_TRY(darc_bindings_init(&bind, x, NULL, NULL, 0, &why));
    for (int i = 0; i < 2; i++) {
        status = darc_reading_take(e + i, f + i, x, table[i], &bind, &why);
        idle = f[i].r.idle;
        if (status != DARC_OK)
            goto done;
    }
    darc_pair p = {.x = x, .a = e, .b = e + 1, .bind = &bind};
    p.copies = darc_regression_are_copies(&f->r, x, table);
    darc_judgement_describe(out, f, x);
    out->used[1] = f[1].used;
    out->simple = p.copies || e[0].simple || e[1].simple || e[0].coarse ||
                  e[1].coarse || f[0].weak->margin > 0;
    DARC_TRY(darc_along_init(&out->along, f[1].weak, e->c, x->budget, &why));
    out->decision = darc_decision_none(x->by->alpha, x->by->tolerance);
    if (darc_pair_align(e, e + 1))
        status = judge_readings(out, &p, changed, &why);
    else
        darc_decision_say(&out->decision, DARC_UNDECIDED,
                          "the coefficient that ratios refer to is 0 in one of "
                          "the recordings and not in the other: its term "
                          "cannot be told from the others there");
done:
    if (idle)
        status = darc_judgement_idle(out, x, why.message, err);
    else if (status != DARC_OK)
        darc_fail(err, status, "%s", why.message);
    darc_bindings_clear(&bind);
    for (int i = 0; i < 2; i++) {
        darc_estimates_clear(e + i);
        darc_fit_clear(f + i);
    }
    if (status != DARC_OK)
        darc_judgement_clear(out);
    return status;
}
