/* multiples.c - sin(a) and sin(-a), exp(a) and exp(2*a) are of one argument,
 * exp(a + b) of those of exp(a) and exp(b). */
#include "algebra/finite.h"
#include "base/mem.h"
#include "model/model_struct.h"

#include <stdlib.h>

/* An argument at the two points modulo a prime. */
typedef struct {
    ulong at[2];
    bool good;
} residues;

static residues residues_of(const darc_expr *e)
{
    residues r = {.good = true};
    nmod_t mod;
    nmod_init(&mod, darc_finite_prime(0));
    for (ulong k = 0; k < 2; k++)
        r.good = r.good && darc_expr_residue(r.at + k, e, mod, k + 1);
    return r;
}

/* The calls in the model. */
typedef struct {
    const darc_rewriter *rw;
    bool (*measured)(const darc_rewriter *rw, const darc_expr *e);
    int count;
    darc_expr **call; /* owned */
    residues *value;  /* of their arguments; owned */
} calls;

static void list_calls(calls *l, const darc_expr *e)
{
    for (int i = 0; i < e->count; i++)
        list_calls(l, e->child[i]);
    if (e->kind != DARC_EXPR_CALL || e->count != 1)
        return;
    DARC_ROOM(l->call, l->count);
    DARC_ROOM(l->value, l->count);
    l->value[l->count] = residues_of(e->child[0]);
    l->call[l->count++] = darc_expr_copy(e);
}

/* Whether a is m*b + n*c: as rational functions of everything in them. */
static bool is_made(const residues *a, int m, const residues *b, int n,
                    const residues *c)
{
    nmod_t mod;
    bool good = a->good && b->good && c->good;
    nmod_init(&mod, darc_finite_prime(0));
    for (int k = 0; k < 2 && good; k++) {
        ulong f = m < 0 ? mod.n - (ulong)-m : (ulong)m;
        ulong g = n < 0 ? mod.n - (ulong)-n : (ulong)n;
        ulong x = nmod_mul(f, b->at[k], mod), y = nmod_mul(g, c->at[k], mod);
        good = b->at[k] != 0 && a->at[k] == nmod_add(x, y, mod);
    }
    return good;
}

/* Functions of 3*A, -3*A; 2*A, -2*A; A + W, A - W, -A - W; A, -A. */
enum { LEVELS = 4, FORMS = 3, ALONE = 3, SUM = 2, TURNS = 2 };
static const int made[LEVELS][FORMS][2] = {{{3, 0}, {-3, 0}},
                                           {{2, 0}, {-2, 0}},
                                           {{1, 1}, {1, -1}, {-1, -1}},
                                           {{1, 0}, {-1, 0}}};
static const struct {
    darc_function f;
    const char *form[LEVELS][FORMS];
} forms[] = {
    {DARC_FUNCTION_SIN,
     {{"3*sin(A) - 4*sin(A)^3", "4*sin(A)^3 - 3*sin(A)"},
      {"2*sin(A)*cos(A)", "-2*sin(A)*cos(A)"},
      {"sin(A)*cos(W) + cos(A)*sin(W)", "sin(A)*cos(W) - cos(A)*sin(W)",
       "-sin(A)*cos(W) - cos(A)*sin(W)"},
      {"sin(A)", "-sin(A)"}}},
    {DARC_FUNCTION_COS,
     {{"4*cos(A)^3 - 3*cos(A)", "4*cos(A)^3 - 3*cos(A)"},
      {"cos(A)^2 - sin(A)^2", "cos(A)^2 - sin(A)^2"},
      {"cos(A)*cos(W) - sin(A)*sin(W)", "cos(A)*cos(W) + sin(A)*sin(W)",
       "cos(A)*cos(W) - sin(A)*sin(W)"},
      {"cos(A)", "cos(A)"}}},
    {DARC_FUNCTION_EXP,
     {{"exp(A)^3", "1/exp(A)^3"},
      {"exp(A)^2", "1/exp(A)^2"},
      {"exp(A)*exp(W)", "exp(A)/exp(W)", "1/(exp(A)*exp(W))"},
      {"exp(A)", "1/exp(A)"}}},
    {DARC_FUNCTION_TAN, {[ALONE] = {"tan(A)", "-tan(A)"}}},
    {DARC_FUNCTION_ATAN, {[ALONE] = {"atan(A)", "-atan(A)"}}},
    {DARC_FUNCTION_SINH, {[ALONE] = {"sinh(A)", "-sinh(A)"}}},
    {DARC_FUNCTION_COSH, {[ALONE] = {"cosh(A)", "cosh(A)"}}},
    {DARC_FUNCTION_TANH, {[ALONE] = {"tanh(A)", "-tanh(A)"}}},
    {DARC_FUNCTION_LOG, {[ALONE] = {"log(A)"}}},
    {DARC_FUNCTION_SQRT, {[ALONE] = {"sqrt(A)"}}}};

/* sin and cos are of one state. */
static bool is_alike(darc_function f, darc_function g)
{
    bool circular = f == DARC_FUNCTION_SIN || f == DARC_FUNCTION_COS;
    return f == g ||
           (circular && (g == DARC_FUNCTION_SIN || g == DARC_FUNCTION_COS));
}

static int length_of(const darc_expr *e)
{
    int sum = 1;
    for (int i = 0; i < e->count; i++)
        sum += length_of(e->child[i]);
    return sum;
}

/* Whether call i is such a function as e; as part of a sum of a shorter
 * argument, lest each be made of the other. */
static bool may_make(const calls *l, int i, const darc_expr *e, int level)
{
    return is_alike(e->function, l->call[i]->function) &&
           (level != SUM || length_of(l->call[i]) < length_of(e));
}

/* Return the call e by functions of the arguments of other calls, its largest
 * multiples first, of equal ones the first; NULL: it stays. */
static darc_expr *made_of(const darc_expr *e, const calls *l, bool measured)
{
    size_t k = 0, all = sizeof forms / sizeof *forms;
    residues own = residues_of(e->child[0]);
    while (k < all && forms[k].f != e->function)
        k++;
    for (int level = measured ? ALONE : 0; level < LEVELS && k < all; level++)
        for (int i = 0; i < l->count * l->count; i++) {
            int a = i / l->count, w = i % l->count;
            if (!may_make(l, a, e, level) || !may_make(l, w, e, level) ||
                (level != SUM && a != w))
                continue;
            for (int n = 0; n < FORMS; n++) {
                const char *form = forms[k].form[level][n];
                const int *by = made[level][n];
                if (form == NULL || (measured && form[0] == '1') ||
                    !is_made(&own, by[0], l->value + a, by[1], l->value + w))
                    continue;
                const darc_expr *x = l->call[a]->child[0];
                return darc_expr_equal(x, e->child[0])
                           ? NULL
                           : darc_expr_formula_take(
                                 e->place, form, darc_expr_copy(x),
                                 darc_expr_copy(l->call[w]->child[0]));
            }
        }
    return NULL;
}

/* Share arguments in e; what comes of that is looked at `turns` times more. */
static void share(darc_expr **e, const calls *l, int turns)
{
    for (int i = 0; i < (*e)->count; i++)
        share(&(*e)->child[i], l, turns);
    if ((*e)->kind != DARC_EXPR_CALL || (*e)->count != 1)
        return;
    darc_expr *by = made_of(*e, l, l->measured(l->rw, *e));
    if (by == NULL)
        return;
    darc_expr_free(*e);
    *e = by;
    if (turns > 0)
        share(e, l, turns - 1);
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
        share(side, &l, TURNS);
    DARC_ALL_OF(darc_expr_free, l.call, l.count);
    DARC_FREE(l.call, l.value);
}
