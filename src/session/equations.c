#include "session/state.h"

#include "base/attempt.h"
#include "base/carrier.h"
#include "base/mem.h"
#include "coefficient/blackbox.h"
#include "eliminate/eliminate.h"
#include "session/thresholds.h"
#include "weak/system.h"

#include <string.h>

/* Whether all are expanded, or can be fitted: the weak form may have one order
 * less.  What is not expanded for that reason is fitted just as well. */
static bool is_done(const darc_ioeqs_t io)
{
    bool expanded = true, fitted = true;
    for (int e = 0; e < io->count; e++) {
        const darc_ioeq *eq = io->eq + e;
        expanded = expanded && eq->expanded;
        fitted = fitted && eq->part->count <= DARC_WEAK_MAX_COEFFS &&
                 darc_ioeq_order(eq, io->jet) <= DARC_WEAK_MAX_ORDER + 1;
    }
    return expanded || !fitted;
}

/* Expand what takes no time, or what is of use: coefficients that are not
 * fitted need no polynomials. */
static darc_status find_equations(darc_session *s, const darc_ranking_t rk,
                                  darc_err *err)
{
    darc_ioeqs_t more;
    if (s->set.engine != DARC_ENGINE_AUTO ||
        s->set.method == DARC_METHOD_POINTWISE)
        return darc_ioeqs_init(s->io, s->model, rk, s->set.engine, s->budget,
                               err);
    darc_status status = darc_ioeqs_init_within(
        s->io, s->model, rk, DARC_EXPANDED_WORK, s->budget, err);
    if (status != DARC_OK || is_done(s->io))
        return status;
    status = darc_ioeqs_init_within(more, s->model, rk, DARC_FITTED_WORK,
                                    s->budget, err);
    darc_ioeqs_clear(s->io);
    if (status == DARC_OK)
        s->io[0] = more[0];
    return status;
}

static darc_status find_grouped(darc_session *s, const darc_ranking_t rk,
                                darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    if (find_equations(s, rk, &why) != DARC_OK)
        return darc_fail_advised(&why, s->model, s->budget, err);
    s->has_io = true;
    darc_ioeqs_put_numbers(s->io, s->model);
    return darc_ioeqs_group_support(s->io, s->model, DARC_GROUP_WORK, s->budget,
                                    err);
}

/* What is asked of a child. */
typedef struct {
    darc_session *s;
    const darc_ranking_struct *ranking;
} question;

static darc_status answer(darc_answer *a, void *user, const darc_budget *budget,
                          darc_err *err)
{
    const question *q = user;
    q->s->budget = budget;
    DARC_NEED(find_grouped(q->s, q->ranking, err));
    darc_ioeqs_carry(&(darc_carrier){.to = a}, q->s->io,
                     darc_model_names(q->s->model));
    return DARC_OK;
}

static void free_bytes(void *bytes)
{
    darc_apart_free(bytes);
}

static darc_status find_apart(darc_session *s, const darc_ranking_t rk,
                              darc_err *err)
{
    char *bytes;
    size_t n;
    if (!darc_apart_suits(s->budget))
        return find_grouped(s, rk, err);
    DARC_NEED(
        darc_apart(&bytes, &n, answer, &(question){s, rk}, s->budget, err));
    darc_attempt_opens(free_bytes, bytes);
    darc_ioeqs_carry(&(darc_carrier){.at = bytes}, s->io,
                     darc_model_names(s->model));
    s->has_io = true;
    darc_attempt_closes(bytes);
    darc_apart_free(bytes);
    return DARC_OK;
}

darc_status darc_session_derive(darc_session *s, darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_names_struct *names = darc_model_names(s->model);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, s->model);
    DARC_TRY(darc_option_ranking(rk, s->set.ranking, names, err));
    DARC_TRY(find_apart(s, rk, err));
    for (int i = 0; i < s->io->count; i++) {
        const darc_ioeq *eq = s->io->eq + i;
        if (!eq->expanded)
            darc_session_detail(
                s,
                "the io-equation of '%s' is not expanded, which would be long: "
                "its %ld terms in the signals are known, their coefficients as "
                "polynomials are not (--engine project expands it)",
                names->symbol[eq->leader.unknown].name, (long)eq->part->count);
    }
    s->kept = s->notes;
done:
    darc_ranking_clear(rk);
    return status;
}

void darc_session_join(darc_session *s)
{
    s->io->count += s->free;
    s->free = 0;
}

/* Whether equation e holds no parameter. */
static bool is_free(const darc_ioeqs_t io, int e)
{
    const darc_ioeq *eq = io->eq + e;
    return eq->part->count == 1 && eq->part->p->length > 1;
}

void darc_session_part(darc_session *s)
{
    darc_session_join(s);
    int n = s->io->count, with = 0, without = 0;
    darc_ioeq *sorted = darc_calloc((size_t)n, sizeof *sorted);
    for (int e = 0; e < n; e++)
        without += is_free(s->io, e);
    for (int e = 0, last = n - without; e < n; e++)
        sorted[is_free(s->io, e) ? last++ : with++] = s->io->eq[e];
    if (with > 0) {
        memcpy(s->io->eq, sorted, (size_t)n * sizeof *sorted);
        s->io->count = with;
        s->free = without;
    }
    darc_free(sorted);
}
