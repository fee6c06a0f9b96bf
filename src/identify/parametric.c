/* parametric.c - functions of parameters alone, for which parameters stand:
 * sqrt(k), log(K), sqrt(2).  What fixes their arguments fixes them, and mostly
 * the other way round. */
#include "identify/identify.h"

#include "base/mem.h"
#include "identify/field.h"
#include "model/model.h"

/* A parameter w that stands for a function. */
typedef struct {
    slong w;        /* variable */
    slong root;     /* w^root is the argument; 1: another function */
    slong argument; /* the only parameter in it, which w fixes; -1: none */
    int arguments;  /* parameters in it, each as often as it stands there */
    slong *of;      /* their variables; owned */
} parametric;

static slong variable_of(const darc_identification_struct *id, int u)
{
    slong v = 0;
    while (v < id->vars && id->unknown[v] != u)
        v++;
    return v < id->vars ? v : -1;
}

/* List the parameters in e; return whether there is none or its value tells
 * that of the only one. */
static bool list_arguments(parametric *p, const darc_expr *e,
                           const darc_identification_struct *id)
{
    bool plain = e->kind == DARC_EXPR_NUMBER || e->kind == DARC_EXPR_UNKNOWN ||
                 e->kind == DARC_EXPR_SUM || e->kind == DARC_EXPR_PRODUCT ||
                 e->kind == DARC_EXPR_NEGATE || e->kind == DARC_EXPR_INVERT;
    if (e->kind == DARC_EXPR_UNKNOWN && !e->constant) {
        DARC_ROOM(p->of, p->arguments);
        p->of[p->arguments++] = variable_of(id, e->unknown);
    }
    for (int i = 0; i < e->count; i++)
        plain = list_arguments(p, e->child[i], id) && plain;
    return plain;
}

static bool is_one_to_one(darc_function f)
{
    return f == DARC_FUNCTION_EXP || f == DARC_FUNCTION_LOG ||
           f == DARC_FUNCTION_ATAN || f == DARC_FUNCTION_SINH ||
           f == DARC_FUNCTION_TANH || f == DARC_FUNCTION_ASIN;
}

static void parametric_init(parametric *p, slong w, const darc_expr *call,
                            const darc_identification_struct *id)
{
    fmpq_t q;
    fmpq_init(q);
    *p = (parametric){.w = w, .root = 1, .argument = -1};
    bool told = list_arguments(p, call->child[0], id);
    if (call->kind == DARC_EXPR_POWER &&
        darc_expr_rational(q, call->child[1], "", NULL) == DARC_OK &&
        fmpz_is_one(fmpq_numref(q)) && fmpz_fits_si(fmpq_denref(q)))
        p->root = fmpz_get_si(fmpq_denref(q));
    told = told && (p->root > 1 || (call->kind == DARC_EXPR_CALL &&
                                    is_one_to_one(call->function)));
    if (told && p->arguments == 1)
        p->argument = p->of[0];
    fmpq_clear(q);
}

void darc_identification_set_own(darc_identification_t id,
                                 const darc_model *model)
{
    id->own = id->vars;
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        slong w = variable_of(id, darc_adjoined_unknown(model, i));
        if (w >= 0 && w < id->own)
            id->own = w;
    }
}

/* Return how many functions of parameters alone the model has; *list is owned
 * by the caller. */
static int list_parametric(parametric **list, const darc_model *model,
                           darc_identification_struct *id)
{
    int n = 0;
    darc_identification_set_own(id, model);
    *list = darc_calloc((size_t)darc_adjoined_count(model) + 1, sizeof **list);
    for (int i = 0; i < darc_adjoined_count(model); i++) {
        slong w = variable_of(id, darc_adjoined_unknown(model, i));
        if (w >= 0)
            parametric_init(*list + n++, w, darc_adjoined_expr(model, i), id);
    }
    return n;
}

static bool is_known(const darc_field_t f, slong v, slong power)
{
    fmpz_mpoly_t x, one;
    darc_dpoly_inits(f->ctx, x, one, NULL);
    fmpz_mpoly_one(one, f->ctx);
    if (v >= 0) {
        fmpz_mpoly_gen(x, v, f->ctx);
        fmpz_mpoly_pow_ui(x, x, (ulong)power, f->ctx);
    }
    bool known = v >= 0 && darc_field_contains(f, x, one);
    darc_dpoly_clears(f->ctx, x, one, NULL);
    return known;
}

/* Append to the field what the function fixes, or is fixed; return whether that
 * is something new.  A root is the positive one: a power of it tells it. */
static bool take_function(darc_field_t f, const parametric *p)
{
    bool new = false, given = true, known = false;
    for (slong m = 1; m <= p->root && !known; m++)
        known = is_known(f, p->w, m);
    for (int i = 0; i < p->arguments; i++)
        given = given && is_known(f, p->of[i], 1);
    if ((given || known) && !is_known(f, p->w, 1))
        new = darc_ratios_append_variable(f->ratio, p->w);
    if (known && p->argument >= 0 && !is_known(f, p->argument, 1))
        new = darc_ratios_append_variable(f->ratio, p->argument) || new;
    return new;
}

/* Of functions of what is known none is one more. */
static void take_implied(darc_identification_struct *id, const darc_field_t f,
                         const parametric *list, int n)
{
    slong rank = id->dimension;
    for (int i = 0; i < n; i++) {
        bool known = is_known(f, list[i].w, 1);
        for (int k = 0; k < list[i].arguments; k++)
            known = known && is_known(f, list[i].of[k], 1);
        id->implied[list[i].w] = known;
        rank -= known;
    }
    id->shown = id->lost ? FLINT_MAX(rank, id->shown) : rank;
}

/* Give the parameters the statuses that the field says; the only argument of a
 * function that is known locally is. */
static void take_statuses(darc_identification_struct *id, const darc_field_t f,
                          const parametric *list, int n)
{
    for (slong v = 0; v < id->vars; v++)
        if (is_known(f, v, 1))
            id->parameter[v] = DARC_GLOBALLY;
    for (int i = 0; i < n; i++) {
        slong v = list[i].argument;
        if (v >= 0 && id->parameter[v] == DARC_PERHAPS &&
            id->parameter[list[i].w] == DARC_LOCALLY)
            id->parameter[v] = DARC_LOCALLY;
    }
}

darc_status darc_identification_bind(darc_identification_t id,
                                     const darc_model *model,
                                     const darc_budget *budget, darc_err *err)
{
    parametric *list;
    darc_status status = DARC_OK;
    int n = list_parametric(&list, model, id);
    darc_field_t f;
    darc_field_open(f, id->ctx);
    darc_ratios_append_all(f->ratio, id->function);
    double left = DARC_FIELD_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    for (bool again = n > 0; again && status == DARC_OK;) {
        status = darc_field_slice(f, &own, NULL);
        again = false;
        for (int i = 0; i < n && status == DARC_OK; i++)
            again = take_function(f, list + i) || again;
        if (!again && status == DARC_OK)
            take_statuses(id, f, list, n);
    }
    slong more = f->ratio->count - id->function->count;
    if (status == DARC_OK && more > 0) {
        darc_ratios_swap(id->function, f->ratio);
        id->dimension += more;
    }
    if (status == DARC_OK && n > 0)
        take_implied(id, f, list, n);
    for (int i = 0; i < n; i++)
        darc_free(list[i].of);
    darc_free(list);
    darc_field_clear(f);
    return status == DARC_OK ? DARC_OK : darc_budget_check(budget, err);
}

bool darc_identification_hides(darc_identification_t id,
                               const darc_model *model)
{
    parametric *list;
    bool hides = false;
    int n = list_parametric(&list, model, id);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < list[i].arguments; k++)
            hides = hides || list[i].of[k] < 0 ||
                    id->parameter[list[i].of[k]] != DARC_GLOBALLY;
        darc_free(list[i].of);
    }
    darc_free(list);
    return hides;
}

void darc_identification_doubt(darc_identification_t id,
                               const darc_model *model)
{
    parametric *list;
    int n = list_parametric(&list, model, id);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < list[i].arguments; k++)
            if (list[i].of[k] >= 0 &&
                id->parameter[list[i].of[k]] == DARC_NOT_IDENTIFIABLE)
                id->parameter[list[i].of[k]] = DARC_PERHAPS;
        darc_free(list[i].of);
    }
    darc_free(list);
}
