#include "library/behaviour.h"

#include "identify/response.h"
#include "session/thresholds.h"

#include <math.h>

/* Find the equations within bounds, under rk; `responds`: no more than the
 * monomials of those that are long. */
static darc_status find_within(darc_ioeqs_t io, const darc_model *model,
                               const darc_ranking_t rk, bool responds,
                               double work, const darc_budget *budget,
                               darc_err *err)
{
    /* Determinants are short work, and their coefficients say all. */
    darc_budget linear = *budget;
    linear.work =
        fmin(budget->work, responds ? DARC_EXPANDED_WORK : DARC_FITTED_WORK);
    if (darc_ioeqs_init(io, model, rk, DARC_ENGINE_LINEAR, &linear, NULL) ==
        DARC_OK)
        return DARC_OK;
    if (!responds)
        return darc_ioeqs_init_within(io, model, rk, work, budget, err);
    DARC_NEED(darc_ioeqs_init_support(io, model, rk, budget, err));
    for (int i = 0; i < io->count; i++)
        if (io->eq[i].part->count > DARC_RESPONSE_PARTS)
            return DARC_OK;
    darc_ioeqs_clear(io);
    return darc_ioeqs_init_within(io, model, rk, work, budget, err);
}

static darc_status find(darc_ioeqs_t io, const darc_model *model,
                        const darc_options *o, bool responds, double work,
                        const darc_budget *budget, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    darc_ranking_t rk;
    darc_budget bounded = darc_budget_with(budget, NULL);
    bounded.work = fmin(DARC_IDENTIFY_WORK,
                        bounded.work > 0 ? bounded.work : DARC_IDENTIFY_WORK);
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, model);
    darc_status status = DARC_OK;
    if (darc_option_given(o, DARC_OPT_RANKING))
        DARC_TRY(darc_ranking_set_text(
            rk, darc_option_text(o, DARC_OPT_RANKING), names, err));
    status = darc_option_given(o, DARC_OPT_ENGINE)
                 ? darc_ioeqs_init(
                       io, model, rk,
                       (darc_engine)darc_option_choice(o, DARC_OPT_ENGINE),
                       budget, err)
                 : find_within(io, model, rk, responds, work, &bounded, err);
done:
    darc_ranking_clear(rk);
    return status;
}

darc_status darc_behaviour_find(darc_ioeqs_t io, const darc_model *model,
                                const darc_options *options, double work,
                                const darc_budget *budget, darc_err *err)
{
    return find(io, model, options, false, work, budget, err);
}

/* Return whether the equations are expanded, and no longer than c. */
static bool are_short(const darc_ioeqs_t io, const darc_coeffs_t c)
{
    slong terms = 0;
    for (int i = 0; i < io->count; i++) {
        terms += io->eq[i].poly->length;
        if (!io->eq[i].expanded)
            return false;
    }
    for (slong j = 0; j < c->first[1]; j++)
        terms -= c->b[j].length;
    return terms <= 0;
}

darc_status darc_behaviour_respond(darc_ioeqs_t io, darc_coeffs_t c,
                                   bool *responds, const darc_model *model,
                                   const darc_options *options,
                                   const darc_budget *budget, darc_err *err)
{
    *responds = darc_response_coeffs(c, model, budget);
    darc_status status =
        find(io, model, options, *responds, DARC_EXPANDED_WORK, budget, err);
    if (*responds && (status != DARC_OK || are_short(io, c))) {
        darc_coeffs_clear(c);
        *responds = false;
    }
    return status;
}
