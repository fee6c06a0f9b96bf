#include "eliminate/member.h"

#include "base/mem.h"
#include "chain/chain.h"

#include <string.h>

/* The model with the expression as an output more, and its parts. */
typedef struct {
    darc_model *model;
    darc_ranking_t ranking;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    darc_dpoly_t num, den; /* EXPR = -num/den */
} extended;

static const char label[] = "asked";

static int functions(const darc_model *model)
{
    return darc_adjoined_count(model) + darc_derived_count(model);
}

static darc_status extend(darc_model **out, const darc_model *model,
                          const char *expression, darc_err *err)
{
    const char *name = label;
    darc_err why = {DARC_OK, ""};
    darc_status status =
        darc_model_extend(out, model, &name, &expression, 1, &why);
    if (status == DARC_OK && functions(*out) == functions(model))
        return DARC_OK;
    if (status == DARC_OK)
        return darc_fail(err, DARC_USAGE,
                         "--member: '%.200s': expected + - * / ^ and "
                         "derivatives alone",
                         expression);
    const char *error = strstr(why.message, "error: ");
    const char *what = error == NULL ? why.message : error + 7;
    return darc_fail(err, DARC_USAGE, "--member: '%.200s': %.*s", expression,
                     (int)strcspn(what, "\n"), what);
}

static darc_status rank(darc_ranking_t rk, const darc_names_struct *names,
                        const char *text, darc_err *err)
{
    static const int block[] = {[DARC_OUTPUT] = 0,
                                [DARC_STATE] = 1,
                                [DARC_INPUT] = 2,
                                [DARC_PARAMETER] = 3,
                                [DARC_TIME] = 4};
    if (text != NULL)
        return darc_ranking_set_text(rk, text, names, err);
    int *of = darc_calloc((size_t)names->count, sizeof *of);
    for (int u = 0; u < names->count; u++)
        of[u] = block[names->symbol[u].kind];
    darc_status status = darc_ranking_set_blocks(rk, of, err);
    darc_free(of);
    return status;
}

/* Take the equation of the output that was added out of the system. */
static void take_expression(extended *x)
{
    char *name = darc_text_of("%s_known", label);
    const darc_jet_struct *jet = x->jet;
    int u = darc_names_find(jet->names, name, strlen(name));
    slong v = darc_jet_var(jet, (darc_deriv){u, 0}), kept = 0;
    for (slong i = 0; i < x->eq->count; i++) {
        darc_dpoly_struct *p = x->eq->p + i;
        if (darc_dpoly_degree(p, v, jet) > 0) {
            darc_dpoly_coeff(x->den, p, v, 1, jet);
            darc_dpoly_coeff(x->num, p, v, 0, jet);
            darc_dpoly_clear(p, jet);
        } else {
            x->eq->p[kept++] = *p;
        }
    }
    x->eq->count = kept;
    if (x->den->length > 0 && fmpz_sgn(x->den->coeffs) > 0) {
        fmpz_mpoly_neg(x->den, x->den, jet->ctx);
        fmpz_mpoly_neg(x->num, x->num, jet->ctx);
    }
    darc_free(name);
}

/* Hold the expression against the components, until it does not vanish. */
static darc_status reduce(darc_membership *m, const extended *x,
                          const darc_decomposition_t d,
                          const darc_budget *budget, darc_err *err)
{
    m->vanishes = DARC_TRUE;
    for (int i = 0; i < d->count && m->vanishes == DARC_TRUE; i++) {
        const darc_component *c = d->component + i;
        darc_dpoly_t f;
        darc_dpoly_init(f, d->jet);
        DARC_EACH(darc_text_reset, m->rest, m->factor);
        m->vanishes = DARC_UNKNOWN;
        if (darc_dpoly_move(f, d->jet, x->num, x->jet, NULL) == DARC_OK)
            m->vanishes = darc_chain_normal_form(m->rest, m->factor, f, c,
                                                 d->jet, budget);
        darc_dpoly_clear(f, d->jet);
        for (slong k = 0; k < c->inequations->count; k++) {
            darc_dpoly_print(m->inequations, c->inequations->p + k, d->jet);
            darc_text_putc(m->inequations, '\n');
        }
    }
    if (m->vanishes == DARC_TRUE)
        return DARC_OK;
    if (m->vanishes == DARC_FALSE) {
        m->vanishes = functions(x->model) > 0 ? DARC_UNKNOWN : DARC_FALSE;
        return DARC_OK;
    }
    DARC_NEED(darc_budget_check(budget, err));
    return darc_fail(err, DARC_LIMIT,
                     "the remainder needs derivatives of too high an order");
}

/* The equation says den*EXPR = -num. */
static void add_divisor(darc_membership *m, const extended *x)
{
    darc_text_t den = DARC_TEXT;
    darc_dpoly_t minus;
    darc_dpoly_init(minus, x->jet);
    fmpz_mpoly_neg(minus, x->den, x->jet->ctx);
    if (!fmpz_mpoly_is_one(minus, x->jet->ctx)) {
        darc_text_puts(den, "(");
        darc_dpoly_print(den, minus, x->jet);
        darc_text_printf(den, ")%s%s", m->factor->len > 0 ? "*" : "",
                         m->factor->s);
        darc_text_reset(m->factor);
        darc_text_puts(m->factor, den->s);
    }
    if (m->factor->len == 0)
        darc_text_puts(m->factor, "1");
    darc_dpoly_clear(minus, x->jet);
    darc_text_clear(den);
}

darc_status darc_membership_init(darc_membership *m, const darc_model *model,
                                 const char *expression, const char *ranking,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status;
    extended x = {.model = NULL};
    darc_decomposition_t d;
    *m = (darc_membership){DARC_UNKNOWN, DARC_TEXT, DARC_TEXT, DARC_TEXT};
    DARC_NEED(extend(&x.model, model, expression, err));
    const darc_names_struct *names = darc_model_names(x.model);
    darc_ranking_init(x.ranking, names->count);
    status = rank(x.ranking, names, ranking, err);
    darc_model_frame(x.jet, x.model, x.ranking);
    DARC_EACH(darc_dpolys_init, x.eq, x.ineq);
    darc_dpoly_inits(x.jet->ctx, x.num, x.den, NULL);
    DARC_TRY(status);
    DARC_TRY(darc_model_equations(x.eq, x.ineq, x.model, x.jet, err));
    take_expression(&x);
    DARC_TRY(
        darc_elim(d, &(darc_system){x.eq, x.ineq, x.jet}, true, budget, err));
    status = d->count > 0 ? reduce(m, &x, d, budget, err)
                          : darc_fail(err, DARC_DOMAIN,
                                      "the equations have no solution");
    darc_decomposition_clear(d);
    add_divisor(m, &x);
done:
    darc_dpoly_clears(x.jet->ctx, x.num, x.den, NULL);
    DARC_EACH_IN(darc_dpolys_clear, x.jet, x.eq, x.ineq);
    darc_jet_clear(x.jet);
    darc_ranking_clear(x.ranking);
    darc_model_free(x.model);
    return status;
}

void darc_membership_clear(darc_membership *m)
{
    DARC_EACH(darc_text_clear, m->factor, m->rest, m->inequations);
}
