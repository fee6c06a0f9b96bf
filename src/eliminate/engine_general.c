#include "eliminate/engine.h"

#include "chain/elim.h"

/* Append the io-equations of component c; factoring one takes some square of
 * its terms. */
static darc_status take_component(darc_ioeqs_t out, const darc_component *c,
                                  const darc_jet_t jet,
                                  const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t core, p;
    darc_dpoly_init(core, jet);
    darc_dpoly_init(p, out->jet);
    for (slong i = 0; i < c->equations->count; i++) {
        const darc_dpoly_struct *eq = c->equations->p + i;
        if (darc_engine_has_state(eq, jet) || darc_dpoly_is_constant(eq, jet))
            continue;
        double terms = (double)eq->length;
        darc_budget_take(budget, terms * terms);
        DARC_TRY(darc_budget_check(budget, err));
        if (darc_engine_core(core, eq, jet) < 1)
            DARC_TRY(darc_fail(err, DARC_LIMIT,
                               "an io-equation of %ld terms could not be "
                               "factored",
                               (long)eq->length));
        DARC_TRY(darc_dpoly_move(p, out->jet, core, jet, err));
        darc_ioeqs_append(out, p, "general");
    }
    DARC_TRY(darc_engine_inequations(out, c->inequations, jet, err));
done:
    darc_dpoly_clear(core, jet);
    darc_dpoly_clear(p, out->jet);
    return status;
}

static darc_status check_generic(const darc_decomposition_t d,
                                 const darc_model *model, darc_err *err)
{
    if (d->count == 0)
        return darc_fail(err, DARC_DOMAIN,
                         "the equations of model '%s' contradict each other",
                         darc_model_name(model));
    if (d->count > 1 && d->component[1].generic)
        return darc_fail(err, DARC_DOMAIN,
                         "model '%s' splits into %d components; 'darc "
                         "eliminate --all-components' shows them",
                         darc_model_name(model), d->count);
    return DARC_OK;
}

static darc_status eliminate(darc_decomposition_t d, const darc_model *model,
                             const darc_jet_t jet, const darc_budget *budget,
                             darc_err *err)
{
    darc_status status;
    darc_dpolys_t eq = {{0}}, ineq = {{0}};
    DARC_TRY(darc_model_equations(eq, ineq, model, jet, err));
    DARC_TRY(darc_elim(d, &(darc_system){eq, ineq, jet}, true, budget, err));
done:
    DARC_EACH_IN(darc_dpolys_clear, jet, eq, ineq);
    return status;
}

darc_status darc_engine_general(darc_ioeqs_t out, const darc_model *model,
                                const darc_budget *budget, darc_err *err)
{
    darc_status status;
    darc_decomposition_t d;
    double left = budget != NULL ? budget->work : 0;
    darc_budget own = darc_budget_with(budget, left > 0 ? &left : NULL);
    DARC_TRY(eliminate(d, model, out->jet, &own, err));
    status = check_generic(d, model, err);
    if (status == DARC_OK) {
        darc_ioeqs_reframe(out, d->jet->names, d->jet->ranking, d->jet->bound);
        status = take_component(out, d->component, d->jet, &own, err);
    }
    darc_decomposition_clear(d);
done:
    return status;
}
