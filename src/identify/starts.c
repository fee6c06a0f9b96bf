#include "identify/observable.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "model/model.h"
#include "projection/point.h"

#include <string.h>

static darc_status set_start(int *start, const darc_solved_t s,
                             const char *name, int value, bool own,
                             darc_err *err)
{
    const darc_names_struct *names = s->jet->names;
    darc_deriv d = {-1, 0};
    size_t n = strlen(name);
    for (; n > 0 && name[n - 1] == '\''; n--)
        d.order++;
    d.unknown = darc_names_find(names, name, n);
    int i = 0;
    while (i < s->states &&
           (s->state[i].unknown != d.unknown || s->state[i].order != d.order))
        i++;
    if (i == s->states && !own)
        return DARC_OK;
    if (i == s->states)
        return darc_fail(err, DARC_USAGE,
                         "--init: '%s' is no state that may start anywhere%s",
                         name,
                         value < 0 ? ""
                                   : "; where a root of it stands in the "
                                     "equations, give it a number that has "
                                     "such a root, as 4 or 9/4 of sqrt, or "
                                     "the name alone");
    start[i] = value < 0 ? DARC_STARTS_KNOWN : value;
    slong k = s->states + value;
    for (slong v = 0; v < s->jet->vars && value >= 0; v++)
        if (!darc_jet_is_constant(s->jet, s->jet->deriv[v].unknown) &&
            (darc_dpoly_degree(s->num->p + k, v, s->jet) > 0 ||
             darc_dpoly_degree(s->den->p + k, v, s->jet) > 0))
            return darc_fail(err, DARC_USAGE,
                             "--init: %s: an initial value is a number or "
                             "a function of parameters",
                             name);
    return DARC_OK;
}

darc_status darc_starts_set(int *start, const darc_solved_t s,
                            const darc_starts *starts, darc_err *err)
{
    darc_status status = DARC_OK;
    DARC_FILL(start, s->states, DARC_STARTS_ANYWHERE);
    for (int i = 0; i < starts->count && status == DARC_OK; i++)
        status = set_start(start, s, starts->state[i], starts->value[i],
                           i < starts->own, err);
    return status;
}

/* ---- functions that became states ---------------------------------------- */

/* Is e a rational function of parameters?  (Of functions of them it is not
 * known what binds them to others.) */
static bool is_parametric(const darc_expr *e, const darc_names_struct *names)
{
    fmpq_t n;
    fmpq_init(n);
    bool good = e->kind != DARC_EXPR_DERIVATIVE && e->kind != DARC_EXPR_CALL;
    if (e->kind == DARC_EXPR_POWER)
        good = darc_expr_rational(n, e->child[1], "", NULL) == DARC_OK &&
               fmpz_is_one(fmpq_denref(n));
    fmpq_clear(n);
    for (int i = 0; i < e->count && good; i++)
        good = is_parametric(e->child[i], names);
    if (darc_expr_get_kind(e) != DARC_EXPR_UNKNOWN || !good)
        return good;
    int u = darc_names_find(names, e->text, strlen(e->text));
    return u >= 0 && names->symbol[u].kind == DARC_PARAMETER && e->order == 0;
}

/* Replace the states that begin at values in e; return whether there are any,
 * *last the last one. */
static bool put_starts(darc_expr **e, int *last, int count, char *const *state,
                       char *const *text)
{
    *last = -1;
    for (int i = 0; i < count; i++) {
        if (text[i][0] == '\0' || darc_expr_occurrences(*e, state[i]) == 0)
            continue;
        darc_expr *by = darc_expr_read(text[i], strlen(text[i]));
        if (by == NULL)
            continue;
        darc_expr_substitute(e, state[i], by);
        darc_expr_free(by);
        *last = i;
    }
    return *last >= 0;
}

/* Append log(n) by logarithms of primes, which no relation binds; return
 * whether n is short enough. */
static bool put_logarithm(darc_text_t out, const fmpz_t n, const char *sign)
{
    slong rest = fmpz_fits_si(n) ? fmpz_get_si(n) : WORD_MAX;
    for (slong p = 2; rest > 1 && p <= DARC_STARTED_PRIMES; p++)
        for (; rest % p == 0; rest /= p)
            darc_text_printf(out, " %s log(%ld)", sign, (long)p);
    return rest == 1;
}

/* Append what the function of a number q is where that is rational, or by
 * logarithms; return whether it is. */
static bool put_rational(darc_text_t out, darc_function f, const fmpq_t q)
{
    if (f == DARC_FUNCTION_LOG) {
        darc_text_puts(out, "0");
        return fmpq_sgn(q) > 0 && put_logarithm(out, fmpq_numref(q), "+") &&
               put_logarithm(out, fmpq_denref(q), "-");
    }
    if (fmpq_is_zero(q) && f != DARC_FUNCTION_INT)
        darc_text_puts(out, f == DARC_FUNCTION_EXP ? "1" : "0");
    return out->len > 0;
}

/* Append base^power where that is rational; return whether it is. */
static bool put_root(darc_text_t out, const darc_expr *call, const fmpq_t base)
{
    fmpq_t e, r;
    DARC_EACH(fmpq_init, e, r);
    fmpq_set_si(e, 1, 2);
    bool good = fmpq_sgn(base) > 0 &&
                (call->kind != DARC_EXPR_POWER ||
                 darc_expr_rational(e, call->child[1], "", NULL) == DARC_OK) &&
                fmpz_fits_si(fmpq_denref(e)) && fmpz_fits_si(fmpq_numref(e));
    slong q = good ? fmpz_get_si(fmpq_denref(e)) : 1;
    good = good && fmpz_root(fmpq_numref(r), fmpq_numref(base), q) &&
           fmpz_root(fmpq_denref(r), fmpq_denref(base), q);
    if (good) {
        fmpq_pow_si(r, r, fmpz_get_si(fmpq_numref(e)));
        char *text = fmpq_get_str(NULL, 10, r);
        darc_text_puts(out, text);
        flint_free(text);
    }
    DARC_EACH(fmpq_clear, e, r);
    return good;
}

/* Append the value of the call of a number q; return whether it is known. */
static bool put_image(darc_text_t out, fmpq_t number, const darc_expr *call,
                      const fmpq_t q)
{
    if (call->kind == DARC_EXPR_POWER || call->function == DARC_FUNCTION_SQRT)
        return put_root(out, call, q);
    if (put_rational(out, call->function, q))
        return true;
    if (call->function == DARC_FUNCTION_LOG ||
        call->function == DARC_FUNCTION_INT ||
        (!fmpq_is_zero(number) && !fmpq_equal(number, q)))
        return false;
    fmpq_set(number, q);
    char *text = fmpq_get_str(NULL, 10, q);
    darc_text_printf(out, "%s(%s)", darc_function_name(call->function), text);
    flint_free(text);
    return true;
}

char *darc_function_start(int *root, fmpq_t number, const darc_model *model,
                          int i, const darc_start_texts *starts)
{
    const darc_names_struct *names = darc_model_names(model);
    const darc_expr *call = darc_adjoined_expr(model, i);
    darc_expr *at = darc_expr_copy(call);
    darc_text_t out = DARC_TEXT, said = DARC_TEXT;
    fmpq_t q;
    fmpq_init(q);
    bool state =
        names->symbol[darc_adjoined_unknown(model, i)].kind == DARC_STATE;
    bool good =
        put_starts(&at, root, starts->count, starts->state, starts->text);
    bool whole = call->count > 0 && call->child[0]->kind == DARC_EXPR_UNKNOWN &&
                 call->child[0]->order == 0 && call->kind == DARC_EXPR_POWER;
    for (int k = 0; k < starts->count && whole && !good && *root < 0; k++)
        if (strcmp(starts->state[k], call->child[0]->text) == 0)
            *root = k;
    *root = whole && state ? *root : -1;
    bool known = !good && *root >= 0;
    good = good && state;
    bool rational = good && (at->kind == DARC_EXPR_POWER || at->count == 1) &&
                    darc_expr_rational(q, at->child[0], "", NULL) == DARC_OK;
    if (rational) {
        good = put_image(said, number, at, q);
    } else if (good) {
        for (int k = 0; k < at->count && good; k++)
            good = is_parametric(at->child[k], names);
        good = good && !(at->kind == DARC_EXPR_CALL &&
                         at->function == DARC_FUNCTION_INT);
        darc_expr_print(out, at);
        darc_adjoined_say(said, model, out->s);
    }
    darc_expr_free(at);
    darc_text_clear(out);
    fmpq_clear(q);
    if (good || known)
        return darc_text_take(said);
    darc_text_clear(said);
    return NULL;
}

/* Is every state in e one that starts anywhere? */
static bool starts_anywhere(const darc_expr *e, const int *start,
                            const darc_solved_t s)
{
    const darc_names_struct *names = s->jet->names;
    bool good = e->kind != DARC_EXPR_DERIVATIVE &&
                (e->kind != DARC_EXPR_CALL ||
                 e->function != DARC_FUNCTION_INT); /* starts at 0 */
    for (int i = 0; i < e->count && good; i++)
        good = starts_anywhere(e->child[i], start, s);
    if (darc_expr_get_kind(e) != DARC_EXPR_UNKNOWN || !good)
        return good;
    int u = darc_names_find(names, e->text, strlen(e->text)), i = 0;
    if (u < 0 || e->order > 0 || names->symbol[u].kind == DARC_OUTPUT)
        return false;
    while (i < s->states && (s->state[i].unknown != u || s->state[i].order > 0))
        i++;
    return names->symbol[u].kind != DARC_STATE ||
           (i < s->states && start[i] < 0);
}

bool darc_starts_are_known(const int *start, const darc_solved_t s,
                           const darc_model *model)
{
    bool known = true;
    for (int k = 0; k < darc_adjoined_count(model) && known; k++) {
        int u = darc_adjoined_unknown(model, k), i = 0;
        if (s->jet->names->symbol[u].kind != DARC_STATE)
            continue;
        while (i < s->states && s->state[i].unknown != u)
            i++;
        known = (i < s->states && start[i] >= 0) ||
                starts_anywhere(darc_adjoined_expr(model, k), start, s);
    }
    return known;
}

/* Let s, signals by these names, be those of the point; return whether it has
 * all inputs: functions of signals may be states there. */
static bool take_signals(darc_solution_t s, const darc_names_struct *names,
                         const darc_point_t pt, const darc_names_struct *of)
{
    bool all = true;
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        char *known = darc_text_of("%s_known", name);
        int w = darc_names_find(of, name, strlen(name));
        w = w < 0 ? darc_names_find(of, known, strlen(known)) : w;
        darc_free(known);
        all = all && (w >= 0 || names->symbol[u].kind != DARC_INPUT);
        for (int k = 0; k < s->stride; k++)
            s->value[u * s->stride + k] =
                w < 0 ? 0 : darc_point_value(pt, (darc_deriv){w, k});
    }
    return all;
}

/* Take an io-equation into what is found, by so many derivatives of its parts
 * along all recordings s. */
static void take_equation(darc_started *out, const darc_ioeq *eq, slong length,
                          const darc_solution_struct *s, const darc_jet_t jet)
{
    nmod_mat_t m;
    slong parts = eq->part->count;
    ulong *x = darc_calloc((size_t)length, sizeof *x);
    nmod_mat_init(m, DARC_STARTED_RECORDINGS * length, parts, s->mod.n);
    for (int r = 0; r < DARC_STARTED_RECORDINGS; r++)
        for (slong k = 0; k < parts; k++) {
            darc_solution_derivatives(x, length, eq->part->p + k, jet, s + r);
            for (slong i = 0; i < length; i++)
                nmod_mat_entry(m, r * length + i, k) = x[i];
        }
    out->reached = out->reached && nmod_mat_rank(m) + 1 == parts;
    nmod_mat_clear(m);
    darc_free(x);
}

/* Return whether the equations give their leaders at the start of s: those of a
 * characteristic set, each at a time, by their separants, coupled ones by the
 * determinant of these. */
static bool are_regular(const darc_ioeqs_struct *io,
                        const darc_solution_struct *s)
{
    bool regular = true;
    const darc_jet_struct *jet = io->jet;
    nmod_mat_t m;
    darc_dpoly_t by;
    darc_dpoly_init(by, jet);
    nmod_mat_init(m, io->count, io->count, s->mod.n);
    for (int i = 0; i < io->count; i++)
        for (int j = 0; j < io->count && io->eq[i].expanded; j++) {
            if (i != j && !io->coupled)
                continue;
            fmpz_mpoly_derivative(by, io->eq[i].poly,
                                  darc_jet_var(jet, io->eq[j].leader),
                                  jet->ctx);
            darc_solution_derivatives(nmod_mat_entry_ptr(m, i, j), 1, by, jet,
                                      s);
        }
    regular = nmod_mat_rank(m) == io->count;
    nmod_mat_clear(m);
    darc_dpoly_clear(by, jet);
    return regular;
}

/* Return whether no state moves along the point. */
static bool rests(const darc_solved_t s, const darc_point_t pt)
{
    bool still = s->states > 0;
    for (int i = 0; i < s->states && still; i++)
        for (int k = 1; s->state[i].order + k < pt->length && still; k++)
            still =
                darc_point_value(pt, (darc_deriv){s->state[i].unknown,
                                                  s->state[i].order + k}) == 0;
    return still;
}

void darc_started_find(darc_started *out, const darc_solved_t s,
                       const darc_ioeqs_struct *io, flint_rand_t rand)
{
    darc_solution_struct w[DARC_STARTED_RECORDINGS];
    const darc_names_struct *names = s->jet->names;
    slong length = 2, order = 0;
    int n = 0;
    bool all = false;
    *out = (darc_started){false, false, false};
    if (io == NULL)
        return;
    for (int i = 0; i < io->count; i++) {
        length = FLINT_MAX(length, io->eq[i].part->count + 1);
        order = FLINT_MAX(order, darc_ioeq_order(io->eq + i, io->jet));
    }
    if (length > DARC_STARTED_PARTS)
        return;
    length += DARC_STARTED_MORE;
    ulong prime = darc_finite_random_prime(rand);
    ulong *param = darc_calloc((size_t)names->count + 1, sizeof *param);
    for (int u = 0; u < names->count; u++)
        param[u] = 1 + n_randint(rand, prime - 1);
    out->rests = true;
    for (; n < DARC_STARTED_RECORDINGS; n++) {
        darc_point_t pt;
        if (!darc_point_init_at(pt, s, length + order, prime, param, rand))
            break;
        darc_solution_init(w + n, io->jet->names, pt->length - 1, prime, NULL,
                           rand);
        all = take_signals(w + n, io->jet->names, pt, names);
        out->rests = out->rests && rests(s, pt);
        darc_point_clear(pt);
    }
    /* All have been looked at. */
    out->rests = out->rests && n == DARC_STARTED_RECORDINGS;
    out->reached = out->regular = all && n == DARC_STARTED_RECORDINGS;
    out->regular = out->regular && are_regular(io, w);
    for (int i = 0; i < io->count && n == DARC_STARTED_RECORDINGS; i++)
        take_equation(out, io->eq + i, length, w, io->jet);
    while (n-- > 0)
        darc_solution_clear(w + n);
    darc_free(param);
}

/* ---- what stays where it starts ------------------------------------------ */

/* A point of a solved form, and which states stay there. */
typedef struct {
    const darc_solved_struct *s;
    nmod_t mod;
    ulong *at, *by, *below; /* of every variable; owned */
    bool *still;            /* of every state; owned */
    bool *used;             /* of every variable; owned */
} standing;

/* Set *value to quotient k at the point, w->by to its derivatives times the
 * square of the divisor; return whether that is not 0. */
static bool look_at(ulong *value, standing *w, slong k)
{
    const darc_solved_struct *s = w->s;
    const fmpz_mpoly_ctx_struct *ctx = s->jet->ctx;
    ulong a = darc_finite_gradient(w->by, s->num->p + k, w->at, w->mod, ctx);
    ulong b = darc_finite_gradient(w->below, s->den->p + k, w->at, w->mod, ctx);
    for (slong v = 0; v < s->jet->vars; v++)
        w->by[v] = nmod_sub(nmod_mul(w->by[v], b, w->mod),
                            nmod_mul(w->below[v], a, w->mod), w->mod);
    *value = b == 0 ? 0 : nmod_div(a, b, w->mod);
    return b != 0;
}

/* Let states that start at numbers be there, as many as stay. */
static void find_still(standing *w, flint_rand_t rand)
{
    const darc_solved_struct *s = w->s;
    ulong rate, start;
    for (int i = 0; i < s->states; i++) {
        int j = s->start[i];
        w->still[i] = j >= 0 && look_at(&start, w, s->states + j) &&
                      _nmod_vec_is_zero(w->by, s->jet->vars);
        if (w->still[i])
            w->at[darc_jet_var(s->jet, s->state[i])] = start;
    }
    for (int i = 0; i < s->states; i++) {
        if (!w->still[i] || (look_at(&rate, w, i) && rate == 0))
            continue;
        w->still[i] = false;
        w->at[darc_jet_var(s->jet, s->state[i])] = n_randint(rand, w->mod.n);
        i = -1; /* what stayed with it may leave, too */
    }
}

/* Mark what quotient k holds; return whether it has a value. */
static bool mark_used(standing *w, slong k)
{
    ulong value;
    bool finite = look_at(&value, w, k);
    for (slong v = 0; v < w->s->jet->vars; v++)
        w->used[v] = w->used[v] || w->by[v] != 0;
    return finite;
}

void darc_started_idle(bool *idle, const darc_solved_t s, flint_rand_t rand)
{
    const darc_jet_struct *jet = s->jet;
    size_t n = (size_t)jet->vars + 1;
    ulong value;
    bool finite = true;
    standing w = {.s = s};
    nmod_init(&w.mod, darc_finite_random_prime(rand));
    DARC_CALLOC(n, w.at, w.by, w.below, w.used);
    w.still = darc_calloc((size_t)s->states + 1, sizeof *w.still);
    for (slong v = 0; v < jet->vars; v++)
        w.at[v] = n_randint(rand, w.mod.n);
    find_still(&w, rand);
    for (int i = 0; i < s->states && finite; i++)
        finite = w.still[i] ||
                 (mark_used(&w, i) &&
                  (s->start[i] < 0 || mark_used(&w, s->states + s->start[i])));
    for (int j = s->asked; j < s->outputs && finite; j++)
        finite = mark_used(&w, s->states + j);
    for (int i = 0; i < s->asked; i++) {
        idle[i] = false;
        bool known = finite && look_at(&value, &w, s->states + i);
        for (slong v = 0; v < jet->vars && known; v++)
            idle[i] =
                idle[i] || (darc_jet_is_constant(jet, jet->deriv[v].unknown) &&
                            w.by[v] != 0 && !w.used[v]);
    }
    DARC_FREE(w.at, w.by, w.below, w.used, w.still);
}
