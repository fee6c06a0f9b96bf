#include "fulfil/meeting.h"

#include "algebra/realpoint.h"
#include "base/mem.h"
#include "eliminate/eliminate.h"
#include "identify/thresholds.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* ---- parameters as formulas, and proofs, as text ------------------------- */

/* Append p as a factor, or as a divisor. */
static void put_part(darc_text_t out, const darc_dpoly_t p, bool divisor,
                     const darc_jet_t jet)
{
    bool lone = fmpz_mpoly_length(p, jet->ctx) <= 1 &&
                (!divisor || fmpz_mpoly_is_fmpz(p, jet->ctx) ||
                 fmpz_mpoly_is_gen(p, -1, jet->ctx));
    darc_text_puts(out, lone ? "" : "(");
    darc_dpoly_print(out, p, jet);
    darc_text_puts(out, lone ? "" : ")");
}

/* Set num/den to what p, of degree 1 in its leader v, gives for it, in lowest
 * terms, the first coefficient of den positive. */
static void solve_leader(darc_dpoly_t num, darc_dpoly_t den,
                         const darc_dpoly_t p, slong v, const darc_jet_t jet)
{
    darc_dpoly_t common;
    darc_dpoly_init(common, jet);
    darc_dpoly_coeff(num, p, v, 0, jet);
    darc_dpoly_coeff(den, p, v, 1, jet);
    if (fmpz_mpoly_gcd(common, num, den, jet->ctx)) {
        fmpz_mpoly_divides(num, num, common, jet->ctx);
        fmpz_mpoly_divides(den, den, common, jet->ctx);
    }
    fmpz_mpoly_struct *negative = fmpz_sgn(den->coeffs) < 0 ? den : num;
    fmpz_mpoly_neg(negative, negative, jet->ctx);
    darc_dpoly_clear(common, jet);
}

/* Append what the equation p = 0 gives for its leader: a quotient in lowest
 * terms, "(a - b)/c", or "a zero of p"; return the sign that it has by those of
 * its variables, 0: not known. */
static int print_formula(darc_text_t out, const darc_dpoly_t p,
                         const darc_signs *sign, const darc_jet_t jet)
{
    slong v = darc_dpoly_leader(p, jet);
    if (darc_dpoly_degree(p, v, jet) > 1) {
        darc_text_puts(out, "a zero of ");
        darc_dpoly_print(out, p, jet);
        return 0;
    }
    darc_dpoly_t num, den;
    darc_dpoly_inits(jet->ctx, num, den, NULL);
    solve_leader(num, den, p, v, jet);
    if (fmpz_mpoly_is_one(den, jet->ctx)) {
        darc_dpoly_print(out, num, jet);
    } else {
        put_part(out, num, false, jet);
        darc_text_putc(out, '/');
        put_part(out, den, true, jet);
    }
    fmpz_mpoly_mul(num, num, den, jet->ctx);
    int known = darc_signs_exclude(sign, num, true) ? fmpz_sgn(num->coeffs) : 0;
    darc_dpoly_clears(jet->ctx, num, den, NULL);
    return known;
}

/* Append the polynomial sum c_i s^i. */
static void print_modes(darc_text_t out, const darc_dpolys_t c,
                        const darc_jet_t jet)
{
    for (slong i = c->count - 1; i >= 0; i--) {
        if (fmpz_mpoly_is_zero(c->p + i, jet->ctx))
            continue;
        darc_text_puts(out, i + 1 < c->count ? " + " : "");
        bool one = i > 0 && fmpz_mpoly_is_one(c->p + i, jet->ctx);
        if (!one)
            put_part(out, c->p + i, false, jet);
        if (i > 0)
            darc_text_puts(out, one ? "s" : "*s");
        if (i > 1)
            darc_text_printf(out, "^%ld", (long)i);
    }
}

/* Append the identity q_1*(f_1) + ... = m that r is, without the f_i where it
 * takes too much room. */
static void print_proof(darc_text_t out, const darc_refutation *r,
                        const darc_dpolys_t f, const darc_jet_t jet)
{
    size_t begin = out->len;
    long used = 0;
    for (slong i = 0; i < r->count; i++) {
        if (fmpz_mpoly_is_zero(r->q + i, jet->ctx))
            continue;
        darc_text_t term = DARC_TEXT;
        if (!fmpz_mpoly_is_one(r->q + i, jet->ctx)) {
            put_part(term, r->q + i, false, jet);
            darc_text_putc(term, '*');
            put_part(term, f->p + i, false, jet);
        } else {
            darc_dpoly_print(term, f->p + i, jet);
        }
        bool minus = used > 0 && term->s[0] == '-';
        darc_text_puts(out, used++ == 0 ? "" : minus ? " - " : " + ");
        darc_text_puts(out, term->s + minus);
        darc_text_clear(term);
    }
    if (out->len - begin > DARC_PROOF_SHOWN) {
        out->len = begin;
        darc_text_printf(out, "a sum of multiples of %ld equations", used);
    }
    darc_text_puts(out, " = ");
    darc_dpoly_print(out, r->left, jet);
}

static darc_status set_matching(darc_meeting *t, darc_err *err)
{
    for (int k = 0; k < 2; k++) {
        DARC_NEED(darc_ioeqs_init(t->io[k], t->model[k], NULL,
                                  DARC_ENGINE_REDUCED, t->budget, err));
        t->has_io[k] = true;
    }
    const darc_matching_side model = {t->model[0], t->io[0], t->free[0]};
    const darc_matching_side target = {t->model[1], t->io[1], t->free[1]};
    DARC_NEED(darc_matching_init(&t->m, &model, &target, t->budget, err));
    t->has_matching = true;
    return DARC_OK;
}

/* Set *out to model k with the values of p. */
static darc_status fix(darc_model **out, const darc_meeting *t, int k,
                       const darc_realpoint *p)
{
    const darc_names_struct *names = darc_model_names(t->model[k]);
    char **value = darc_calloc((size_t)names->count + 1, sizeof *value);
    for (int u = 0; u < names->count; u++) {
        if (t->m.name[k][u] < 0)
            continue;
        char *s = fmpq_get_str(NULL, 10, p->at[t->m.name[k][u]].low);
        value[u] = darc_strdup(s);
        flint_free(s);
    }
    darc_status status = darc_model_fix(
        out, t->model[k], (const char *const *)(void *)value, NULL);
    DARC_FREE_EACH(value, names->count);
    darc_free(value);
    return status;
}

/* Do the equations of a follow from those of b, which are numbers but for
 * signals?  *dropped: what order they have more. */
static bool follows(const darc_matching_side *a, const darc_matching_side *b,
                    int *dropped, const darc_budget *budget)
{
    darc_matching m;
    if (darc_matching_init(&m, a, b, budget, NULL) != DARC_OK)
        return false;
    bool yes = m.f->count == 0;
    *dropped = m.dropped;
    darc_matching_clear(&m);
    return yes;
}

/* Eliminate both models anew with the numbers of p: the equations of both are
 * the same, or those of the model have stable modes more. */
static bool is_proved(const darc_meeting *t, const darc_realpoint *p)
{
    darc_model *model[2] = {NULL, NULL};
    darc_ioeqs_t io[2];
    darc_matching_side of[2];
    int known = 0, dropped, less;
    for (; known < 2; known++) {
        if (fix(&model[known], t, known, p) != DARC_OK ||
            darc_ioeqs_init(io[known], model[known], NULL, DARC_ENGINE_REDUCED,
                            t->budget, NULL) != DARC_OK)
            break;
        of[known] =
            (darc_matching_side){model[known], io[known], t->free[known]};
    }
    /* no parameter is left that could be free */
    bool proved = known == 2 && follows(&of[0], &of[1], &dropped, t->budget);
    if (proved && !follows(&of[1], &of[0], &less, t->budget))
        proved = dropped > 0 && t->m.mode->count > 1;
    for (int k = 0; k < 2; k++) {
        if (k < known)
            darc_ioeqs_clear(io[k]);
        darc_model_free(model[k]);
    }
    return proved;
}

/* Does p keep every condition, and is what is cancelled stable? */
static bool is_allowed(darc_meeting *t, const darc_realpoint *p)
{
    const darc_matching *m = &t->m;
    for (slong i = 0; i < m->ineq->count; i++)
        if (darc_realpoint_sign(p, m->ineq->p + i, m->jet) == 0)
            return false;
    for (slong v = 0; v < p->vars; v++)
        if (m->positive[v] && fmpq_sgn(p->at[v].low) <= 0)
            return false;
    bool stable =
        m->mode->count == 0 || darc_realpoint_is_stable(p, m->mode, m->jet);
    t->unstable |= !stable;
    return stable;
}

/* Look for a point on the component; where its numbers are not rational, what
 * the equations say has to do. */
static bool find_point(darc_realpoint *p, darc_meeting *t,
                       const darc_dpolys_t equations)
{
    const darc_matching *m = &t->m;
    for (int attempt = 0; attempt < DARC_POINT_TRIES; attempt++) {
        if (!darc_realpoint_init(p, equations, m->jet, m->positive, attempt))
            continue;
        if (is_allowed(t, p) &&
            (p->exact ? is_proved(t, p) : m->sure && m->linear && m->driven))
            return true;
        darc_realpoint_clear(p);
    }
    return false;
}

static char *text_of(const darc_dpoly_t p, const darc_jet_t jet,
                     const char *after)
{
    darc_text_t out = DARC_TEXT;
    darc_dpoly_print(out, p, jet);
    darc_text_puts(out, after);
    return darc_text_take(out);
}

static void add_condition(darc_meeting *t, char *condition)
{
    darc_fulfilled *s = &t->shown;
    DARC_APPEND(t->condition, s->conditions, condition);
    s->condition = (const char *const *)(void *)t->condition;
}

/* Give parameter v the formula of p, and say where that is positive as it has
 * to be. */
static void set_formula(darc_meeting *t, slong v, const darc_dpoly_t p)
{
    darc_text_t out = DARC_TEXT;
    int sign = print_formula(out, p, &t->m.sign, t->m.jet);
    if (t->m.positive[v] && sign <= 0 && darc_dpoly_degree(p, v, t->m.jet) == 1)
        add_condition(t, darc_text_of("%s > 0", out->s));
    t->parameter[v].formula = darc_text_take(out);
}

static void show_component(darc_meeting *t, const darc_component *c)
{
    const darc_jet_struct *jet = t->m.jet;
    darc_fulfilled *s = &t->shown;
    for (slong i = 0; i < c->equations->count; i++) {
        const darc_dpoly_struct *p = c->equations->p + i;
        slong v = darc_dpoly_leader(p, jet);
        if (v < t->m.own) {
            set_formula(t, v, p);
            continue;
        }
        DARC_APPEND(t->relation, s->relations, text_of(p, jet, " = 0"));
        s->relation = (const char *const *)(void *)t->relation;
    }
    for (slong i = 0; i < c->inequations->count; i++)
        if (!darc_signs_exclude(&t->m.sign, c->inequations->p + i, true))
            add_condition(t, text_of(c->inequations->p + i, jet, " != 0"));
}

static darc_status refute(darc_meeting *t, darc_err *err)
{
    darc_refutation r;
    darc_fulfilled *s = &t->shown;
    DARC_NEED(darc_refutation_init(&r, t->m.f->p, t->m.f->count, &t->m.sign,
                                   t->budget, err));
    s->verdict = DARC_IS_OPEN;
    s->reason = t->unstable
                    ? "all parameters that were found cancel modes that are "
                      "not stable"
                    : "no parameters were found, and no proof that there are "
                      "none";
    bool sure = t->m.sure && t->m.own == t->m.free;
    if (r.found) {
        darc_text_t proof = DARC_TEXT;
        print_proof(proof, &r, t->m.f, t->m.jet);
        s->certificate = darc_text_take(proof);
        if (!fmpz_mpoly_is_fmpz(r.unless, t->m.jet->ctx))
            add_condition(t, text_of(r.unless, t->m.jet, " != 0"));
        s->verdict = sure ? DARC_IS_IMPOSSIBLE : DARC_IS_OPEN;
        s->reason =
            !sure ? "most parameters are excluded; special ones may not be"
            : r.real
                ? "what must vanish adds up to a polynomial that the signs "
                  "of its parameters keep from 0"
                : "what must vanish adds up to what does not, whatever "
                  "the parameters are, complex ones too";
    }
    darc_refutation_clear(&r, &t->m.sign);
    return DARC_OK;
}

static bool try_component(darc_meeting *t, const darc_component *c)
{
    darc_realpoint p;
    for (slong i = 0; i < c->equations->count; i++)
        if (darc_dpoly_leader(c->equations->p + i, t->m.jet) >= t->m.free)
            return false; /* what is given is not free */
    if (!find_point(&p, t, c->equations))
        return false;
    t->shown.verdict = DARC_IS_FULFILLED;
    t->shown.reason = "the equations of both are the same";
    if (t->m.mode->count > 1) {
        darc_text_t modes = DARC_TEXT;
        print_modes(modes, t->m.mode, t->m.jet);
        t->shown.modes = darc_text_take(modes);
        t->shown.reason = "the equations of both are the same but for modes "
                          "that are stable";
    }
    show_component(t, c);
    fmpq_t middle;
    fmpq_init(middle);
    for (int v = 0; v < t->shown.parameters; v++) {
        fmpq_add(middle, p.at[v].low, p.at[v].high);
        fmpq_div_2exp(middle, middle, 1);
        t->parameter[v].value = fmpq_get_d(middle);
    }
    fmpq_clear(middle);
    darc_realpoint_clear(&p);
    return true;
}

darc_status darc_meeting_decide(darc_meeting *t, darc_err *err)
{
    DARC_NEED(set_matching(t, err));
    const darc_system system = {t->m.f, t->m.ineq, t->m.jet};
    const darc_component trivial = {.generic = true};
    darc_status status = DARC_OK;
    const darc_names_struct *names = t->m.jet->names;
    bool none = strcmp(names->symbol[0].name, "none") == 0;
    t->shown.parameters = none ? 0 : names->count;
    t->parameter = darc_calloc((size_t)names->count + 1, sizeof *t->parameter);
    for (int v = 0; v < t->shown.parameters; v++)
        t->parameter[v] =
            (darc_fulfilling){names->symbol[v].name, NULL, v >= t->m.free, NAN};
    t->shown.parameter = t->parameter;
    bool found = t->m.f->count == 0 && try_component(t, &trivial);
    if (t->m.f->count > 0) {
        status = darc_elim(t->d, &system, false, t->budget, err);
        t->has_components = status == DARC_OK;
        for (int i = 0; t->has_components && i < t->d->count && !found; i++)
            found = try_component(t, &t->d->component[i]);
    }
    if (status == DARC_OK && !found)
        status = refute(t, err);
    if (found && (!t->m.whole || (t->m.dropped > 0 && !t->m.linear))) {
        t->shown.verdict = DARC_IS_OPEN;
        t->shown.reason = t->m.whole
                              ? "the equations of both are the same, but not "
                                "known is whether what is cancelled is stable"
                              : "the equations of both are the same, but "
                                "functions in them say more";
    }
    return status;
}

void darc_meeting_forget(darc_meeting *t)
{
    for (int i = 0; i < t->shown.parameters; i++)
        darc_free((void *)t->shown.parameter[i].formula);
    darc_free(t->parameter);
}

void darc_meeting_clear(darc_meeting *t)
{
    darc_meeting_forget(t);
    DARC_FREE_EACH(t->condition, t->shown.conditions);
    DARC_FREE_EACH(t->relation, t->shown.relations);
    DARC_FREE(t->condition, t->relation, (void *)t->shown.modes,
              (void *)t->shown.certificate);
    if (t->has_components)
        darc_decomposition_clear(t->d);
    if (t->has_matching)
        darc_matching_clear(&t->m);
    for (int k = 0; k < 2; k++) {
        if (t->has_io[k])
            darc_ioeqs_clear(t->io[k]);
        darc_free(t->free[k]);
        darc_model_free(t->model[k]);
    }
}
