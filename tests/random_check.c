#include "random_model.h"

#include "darc/identify.h"
#include "eliminate/eliminate.h"
#include "model/model.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Products of terms within which a model must be eliminated to be looked at. */
#define WORK 2e4
#define IDENTIFY_WORK 2e5

/* What is zero on series of TAYLOR_BITS bits is below this share of its
 * terms. */
#define ZERO_BITS 300

typedef struct {
    random_model m;
    const darc_model *model;
    int first; /* node behind those of the model itself */
    random_model_answer *answer;
} check;

static void fault(check *w, const char *format, ...)
{
    va_list args;
    if (w->answer->fault[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(w->answer->fault, sizeof w->answer->fault, format, args);
    va_end(args);
}

/* ---- equations ---------------------------------------------------------- */

static int node_of(check *w, int unknown);

static int node_of_expr(check *w, const darc_expr *e);

static int node_of_chain(check *w, const darc_expr *e, taylor_op op)
{
    int n = node_of_expr(w, e->child[0]);
    for (int i = 1; i < e->count && n >= 0; i++) {
        int b = node_of_expr(w, e->child[i]);
        n = b < 0 ? -1 : taylor_apply(&w->m.tape, op, n, b);
    }
    return n;
}

static int node_of_call(check *w, const darc_expr *e)
{
    static const darc_function functions[] = {
        DARC_FUNCTION_EXP, DARC_FUNCTION_LOG, DARC_FUNCTION_SQRT,
        DARC_FUNCTION_SIN, DARC_FUNCTION_COS, DARC_FUNCTION_ATAN,
        DARC_FUNCTION_TANH};
    int a = node_of_expr(w, e->child[0]);
    if (a >= 0 && e->function == DARC_FUNCTION_TAN)
        return taylor_apply(&w->m.tape, TAYLOR_QUOTIENT,
                            taylor_apply(&w->m.tape, TAYLOR_SIN, a, 0),
                            taylor_apply(&w->m.tape, TAYLOR_COS, a, 0));
    for (int i = 0; i < 7 && a >= 0; i++)
        if (e->function == functions[i])
            return taylor_apply(&w->m.tape, (taylor_op)(TAYLOR_EXP + i), a, 0);
    return -1;
}

/* Return the node of the expression, -1 where it is of another kind. */
static int node_of_expr(check *w, const darc_expr *e)
{
    taylor_tape *t = &w->m.tape;
    int a;
    switch (darc_expr_get_kind(e)) {
    case DARC_EXPR_NUMBER:
        return taylor_number(t, fmpz_get_si(fmpq_numref(e->value)),
                             fmpz_get_si(fmpq_denref(e->value)));
    case DARC_EXPR_UNKNOWN:
        a = node_of(w, e->unknown);
        return a < 0 ? -1 : taylor_derivative(t, a, e->order);
    case DARC_EXPR_SUM:
        return node_of_chain(w, e, TAYLOR_SUM);
    case DARC_EXPR_PRODUCT:
        return node_of_chain(w, e, TAYLOR_PRODUCT);
    case DARC_EXPR_NEGATE:
        a = node_of_expr(w, e->child[0]);
        return a < 0 ? -1
                     : taylor_apply(t, TAYLOR_PRODUCT, taylor_number(t, -1, 1),
                                    a);
    case DARC_EXPR_INVERT:
        a = node_of_expr(w, e->child[0]);
        return a < 0 ? -1
                     : taylor_apply(t, TAYLOR_QUOTIENT, taylor_number(t, 1, 1),
                                    a);
    case DARC_EXPR_CALL:
        return node_of_call(w, e);
    case DARC_EXPR_POWER: /* of parameters: a square root */
        a = node_of_expr(w, e->child[0]);
        return a < 0 ? -1 : taylor_apply(t, TAYLOR_SQRT, a, 0);
    default:
        return -1;
    }
}

/* Return the node of an unknown of the model, -1 where there is none. */
static int node_of(check *w, int unknown)
{
    const char *name = darc_model_names(w->model)->symbol[unknown].name;
    for (int n = 0; n < w->first; n++)
        if (strcmp(w->m.tape.node[n].name, name) == 0)
            return n;
    if (name[0] == 'y' && name[1] >= '0' && name[1] <= '9')
        return w->m.seen[name[1] - '0'];
    for (int i = 0; i < darc_adjoined_count(w->model); i++)
        if (darc_adjoined_unknown(w->model, i) == unknown)
            return node_of_expr(w, darc_adjoined_expr(w->model, i));
    return -1;
}

/* Set value[v] of all variables that p uses; return whether all have one. */
static bool find_values(mpfr_t *value, check *w, const darc_dpoly_t p,
                        const darc_jet_t jet)
{
    taylor_tape *t = &w->m.tape;
    int *used = calloc((size_t)jet->vars, sizeof *used), first = t->count;
    int *node = calloc((size_t)jet->vars, sizeof *node);
    bool all = true;
    fmpz_mpoly_used_vars(used, p, jet->ctx);
    for (slong v = 0; v < jet->vars && all; v++) {
        if (!used[v])
            continue;
        int a = node_of(w, jet->deriv[v].unknown);
        all = a >= 0 && jet->deriv[v].order < RANDOM_LENGTH - 4;
        if (all)
            node[v] = taylor_derivative(t, a, jet->deriv[v].order);
    }
    for (int k = 0; k < 2 * RANDOM_LENGTH;
         k++) /* twice: derivatives look ahead */
        taylor_step(t, first, k % RANDOM_LENGTH);
    for (slong v = 0; v < jet->vars && all; v++)
        if (used[v])
            mpfr_set(value[v], t->node[node[v]].c[0], MPFR_RNDN);
    free(used);
    free(node);
    return all;
}

/* Return whether p is zero at these values, to the number of bits. */
static bool is_zero(const darc_dpoly_t p, mpfr_t *value, const darc_jet_t jet)
{
    mpfr_t sum, size, term, power;
    mpfr_inits2(TAYLOR_BITS, sum, size, term, power, (mpfr_ptr)NULL);
    mpfr_set_zero(sum, 1);
    mpfr_set_zero(size, 1);
    ulong *e = calloc((size_t)jet->vars, sizeof *e);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(e, p, i, jet->ctx);
        fmpz_get_mpfr(term, p->coeffs + i, MPFR_RNDN);
        for (slong v = 0; v < jet->vars; v++) {
            mpfr_pow_ui(power, value[v], e[v], MPFR_RNDN);
            mpfr_mul(term, term, power, MPFR_RNDN);
        }
        mpfr_add(sum, sum, term, MPFR_RNDN);
        mpfr_abs(term, term, MPFR_RNDN);
        mpfr_add(size, size, term, MPFR_RNDN);
    }
    mpfr_mul_2si(size, size, -ZERO_BITS, MPFR_RNDN);
    bool zero = mpfr_cmpabs(sum, size) <= 0;
    mpfr_clears(sum, size, term, power, (mpfr_ptr)NULL);
    free(e);
    return zero;
}

static void check_vanishes(check *w, const darc_dpoly_t p, const darc_jet_t jet)
{
    mpfr_t *value = calloc((size_t)jet->vars, sizeof *value);
    for (slong v = 0; v < jet->vars; v++) {
        mpfr_init2(value[v], TAYLOR_BITS);
        mpfr_set_zero(value[v], 1);
    }
    if (!find_values(value, w, p, jet))
        fault(w, "an equation of unknowns that are no signals");
    else if (!is_zero(p, value, jet))
        fault(w, "an equation that a solution does not obey");
    for (slong v = 0; v < jet->vars; v++)
        mpfr_clear(value[v]);
    free(value);
}

static void check_equations(check *w, const darc_ioeqs_t io)
{
    random_model_run(&w->m, 1, 1, -1);
    w->first = w->m.tape.count;
    for (int i = 0; i < io->count; i++) {
        fmpz_mpoly_factor_t f;
        check_vanishes(w, io->eq[i].poly, io->jet);
        fmpz_mpoly_factor_init(f, io->jet->ctx);
        if (!fmpz_mpoly_factor(f, io->eq[i].poly, io->jet->ctx) ||
            f->num != 1 || !fmpz_is_one(f->exp))
            fault(w, "an equation that has factors");
        fmpz_mpoly_factor_clear(f, io->jet->ctx);
    }
}

/* ---- ranks -------------------------------------------------------------- */

/* Functions that became states add to the orders. */
static void check_orders(check *w, const darc_ioeqs_t io, int behaviour)
{
    int sum = 0;
    for (int i = 0; i < io->count; i++)
        sum += io->eq[i].leader.order;
    if (w->m.functions ? sum < behaviour : sum != behaviour)
        fault(w, "orders of sum %d, not %d", sum, behaviour);
}

static void check_status(check *w, const char *name, darc_identifiability is,
                         bool truly)
{
    if (is == DARC_PERHAPS)
        w->answer->undecided++;
    else if ((is != DARC_NOT_IDENTIFIABLE) != truly)
        fault(w, "%s is %s", name, darc_identifiability_text(is));
}

static void check_statuses(check *w, const random_model_ranks *r)
{
    darc_identified *found = NULL;
    darc_err err = {DARC_OK, ""};
    darc_budget budget;
    darc_budget_init(&budget);
    budget.work = IDENTIFY_WORK;
    if (darc_identify(&found, w->model, NULL, &budget, &err) != DARC_OK) {
        fault(w, "identify: %s", err.message);
        return;
    }
    for (int v = 0; v < w->m.params; v++)
        check_status(w, found->parameter[v].name,
                     found->parameter[v].identifiable, r->parameter[v]);
    for (int i = 0; i < w->m.states && i < found->states; i++)
        check_status(w, found->state[i].name, found->state[i].identifiable,
                     r->state[i]);
    if (!found->lost && found->rank != r->rank)
        fault(w, "%d independent functions, not %d", found->rank, r->rank);
    if (!w->m.functions && w->answer->undecided > 0)
        fault(w, "undecided");
    darc_identified_free(found);
}

void random_model_check(random_model_answer *a, int seed)
{
    check w = {.answer = a};
    darc_model *model = NULL;
    darc_err err = {DARC_OK, ""};
    darc_ioeqs_t io;
    darc_budget budget;
    *a = (random_model_answer){.fault = ""};
    random_model_init(&w.m, seed);
    darc_budget_init(&budget);
    budget.work = WORK;
    if (darc_model_parse(&model, w.m.text, strlen(w.m.text), "random", &err) !=
        DARC_OK) {
        fault(&w, "%s", err.message);
        random_model_clear(&w.m);
        return;
    }
    w.model = model;
    darc_status status =
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, &budget, &err);
    if (status == DARC_OK) {
        random_model_ranks r;
        a->looked = true;
        check_equations(&w, io);
        w.m.tape.count = w.first;
        random_model_rank(&r, &w.m);
        check_orders(&w, io, r.behaviour);
        check_statuses(&w, &r);
        darc_ioeqs_clear(io);
    } else if (status != DARC_LIMIT) {
        fault(&w, "%s", err.message);
    }
    darc_model_free(model);
    random_model_clear(&w.m);
}
