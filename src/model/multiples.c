/* multiples.c - sin(a) and sin(-a), exp(a) and exp(2*a) are of one argument. */
#include "algebra/finite.h"
#include "base/mem.h"
#include "model/model_struct.h"

#include <stdlib.h>

/* The calls in the model. */
typedef struct {
    const darc_rewriter *rw;
    bool (*measured)(const darc_rewriter *rw, const darc_expr *e);
    int count;
    darc_expr **call; /* owned */
} calls;

static void list_calls(calls *l, const darc_expr *e)
{
    for (int i = 0; i < e->count; i++)
        list_calls(l, e->child[i]);
    if (e->kind != DARC_EXPR_CALL || e->count != 1)
        return;
    DARC_ROOM(l->call, l->count);
    l->call[l->count++] = darc_expr_copy(e);
}

/* Return n where a is n*b, |n| at most 3, as the same rational functions of
 * everything in them: at two points modulo a prime; 0: it is none. */
static int multiple_of(const darc_expr *a, const darc_expr *b)
{
    nmod_t mod;
    int found = 0;
    nmod_init(&mod, darc_finite_prime(0));
    for (int n = -3; n <= 3 && found == 0; n++) {
        bool good = n != 0;
        for (ulong seed = 1; seed <= 2 && good; seed++) {
            ulong x, y;
            good = darc_expr_residue(&x, a, mod, seed) &&
                   darc_expr_residue(&y, b, mod, seed) && y != 0;
            ulong by = n < 0 ? mod.n - (ulong)-n : (ulong)n;
            good = good && x == nmod_mul(y, by, mod);
        }
        found = good ? n : 0;
    }
    return found;
}

/* Return how the function of n*A is one of A; NULL: it stays. */
static const char *form_of(darc_function f, int n, bool measured)
{
    static const struct {
        darc_function f;
        int n;
        const char *form;
        bool odd; /* or even, or the same */
    } forms[] = {
        {DARC_FUNCTION_SIN, 1, "sin(A)", true},
        {DARC_FUNCTION_SIN, -1, "-sin(A)", true},
        {DARC_FUNCTION_SIN, 2, "2*sin(A)*cos(A)", false},
        {DARC_FUNCTION_SIN, -2, "-2*sin(A)*cos(A)", false},
        {DARC_FUNCTION_SIN, 3, "3*sin(A) - 4*sin(A)^3", false},
        {DARC_FUNCTION_SIN, -3, "4*sin(A)^3 - 3*sin(A)", false},
        {DARC_FUNCTION_COS, 1, "cos(A)", true},
        {DARC_FUNCTION_COS, -1, "cos(A)", true},
        {DARC_FUNCTION_COS, 2, "cos(A)^2 - sin(A)^2", false},
        {DARC_FUNCTION_COS, -2, "cos(A)^2 - sin(A)^2", false},
        {DARC_FUNCTION_COS, 3, "4*cos(A)^3 - 3*cos(A)", false},
        {DARC_FUNCTION_COS, -3, "4*cos(A)^3 - 3*cos(A)", false},
        {DARC_FUNCTION_TAN, 1, "tan(A)", true},
        {DARC_FUNCTION_TAN, -1, "-tan(A)", true},
        {DARC_FUNCTION_ATAN, 1, "atan(A)", true},
        {DARC_FUNCTION_ATAN, -1, "-atan(A)", true},
        {DARC_FUNCTION_SINH, 1, "sinh(A)", true},
        {DARC_FUNCTION_SINH, -1, "-sinh(A)", true},
        {DARC_FUNCTION_COSH, 1, "cosh(A)", true},
        {DARC_FUNCTION_COSH, -1, "cosh(A)", true},
        {DARC_FUNCTION_TANH, 1, "tanh(A)", true},
        {DARC_FUNCTION_TANH, -1, "-tanh(A)", true},
        {DARC_FUNCTION_EXP, 1, "exp(A)", true},
        {DARC_FUNCTION_EXP, -1, "1/exp(A)", false},
        {DARC_FUNCTION_EXP, 2, "exp(A)^2", false},
        {DARC_FUNCTION_EXP, -2, "1/exp(A)^2", false},
        {DARC_FUNCTION_EXP, 3, "exp(A)^3", false},
        {DARC_FUNCTION_EXP, -3, "1/exp(A)^3", false},
        {DARC_FUNCTION_LOG, 1, "log(A)", true},
        {DARC_FUNCTION_SQRT, 1, "sqrt(A)", true},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].f == f && forms[i].n == n && (forms[i].odd || !measured))
            return forms[i].form;
    return NULL;
}

/* sin and cos are of one state. */
static bool is_alike(darc_function f, darc_function g)
{
    bool circular = f == DARC_FUNCTION_SIN || f == DARC_FUNCTION_COS;
    return f == g ||
           (circular && (g == DARC_FUNCTION_SIN || g == DARC_FUNCTION_COS));
}

/* Return the argument of such a function that e's is the largest multiple of,
 * *n: by what; of equal ones the first. */
static const darc_expr *base_of(int *n, const darc_expr *e, const calls *l)
{
    const darc_expr *base = NULL;
    *n = 0;
    for (int i = 0; i < l->count; i++) {
        const darc_expr *a = l->call[i]->child[0];
        if (!is_alike(e->function, l->call[i]->function))
            continue;
        int by = multiple_of(e->child[0], a);
        if (abs(by) > abs(*n)) {
            base = a;
            *n = by;
        }
    }
    return base;
}

static void share(darc_expr **e, const calls *l)
{
    for (int i = 0; i < (*e)->count; i++)
        share(&(*e)->child[i], l);
    if ((*e)->kind != DARC_EXPR_CALL || (*e)->count != 1)
        return;
    int n;
    const darc_expr *base = base_of(&n, *e, l);
    const char *form = base == NULL || darc_expr_equal(base, (*e)->child[0])
                           ? NULL
                           : form_of((*e)->function, n, l->measured(l->rw, *e));
    if (form == NULL)
        return;
    darc_expr *by =
        darc_expr_formula_take((*e)->place, form, darc_expr_copy(base), NULL);
    darc_expr_free(*e);
    *e = by;
}

void darc_share_arguments(const darc_rewriter *rw,
                          bool (*measured)(const darc_rewriter *rw,
                                           const darc_expr *e))
{
    darc_expr **side;
    calls l = {.rw = rw, .measured = measured};
    for (size_t i = 0; (side = darc_syntax_side(rw->syntax, i)) != NULL; i++)
        list_calls(&l, *side);
    for (size_t i = 0; (side = darc_syntax_side(rw->syntax, i)) != NULL; i++)
        share(side, &l);
    DARC_ALL_OF(darc_expr_free, l.call, l.count);
    darc_free(l.call);
}
