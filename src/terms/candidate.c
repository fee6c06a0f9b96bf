#include "terms/candidate.h"

#include "base/mem.h"
#include "weak/system.h"

#include <ctype.h>
#include <string.h>

static void print_base(darc_text_t out, const darc_candidate_factor *f,
                       const darc_names_t names)
{
    darc_deriv other = {f->other, f->d.order};
    bool bare = f->sign || f->other < 0;
    darc_text_puts(out, bare ? "" : "(");
    darc_deriv_print(out, f->d, names);
    if (f->other >= 0) {
        darc_text_puts(out, " - ");
        darc_deriv_print(out, other, names);
    }
    darc_text_puts(out, bare ? "" : ")");
}

void darc_candidate_print(darc_text_t out, const darc_candidate *c,
                          const darc_names_t names)
{
    static const char *const head[] = {"", "lag(", "origin("};
    darc_text_puts(out, c->order > 0 ? "der(" : head[c->kind]);
    if (c->count == 0)
        darc_text_puts(out, c->column != NULL ? c->column : "1");
    for (int i = 0; i < c->count; i++) {
        darc_text_puts(out, i > 0 ? "*" : "");
        darc_text_puts(out, c->f[i].sign ? "sign(" : "");
        print_base(out, c->f + i, names);
        darc_text_puts(out, c->f[i].sign ? ")" : "");
        if (!c->f[i].sign && c->f[i].power != 1)
            darc_text_printf(out, "^%d", c->f[i].power);
    }
    if (c->order > 0)
        darc_text_printf(out, ", %d", c->order);
    bool open = c->order > 0 || c->kind != DARC_CANDIDATE_TERM;
    darc_text_puts(out, open ? ")" : "");
}

void darc_candidate_say(darc_text_t out, const darc_candidate *c,
                        const darc_names_t names)
{
    const darc_candidate_factor *f = c->f;
    if (c->kind != DARC_CANDIDATE_TERM) {
        darc_text_printf(out,
                         c->kind == DARC_CANDIDATE_LAG ? "a delay or lag of %s"
                                                       : "another origin of %s",
                         names->symbol[f->d.unknown].name);
    } else if (c->column != NULL) {
        darc_text_printf(out, "the column %s", c->column);
    } else if (c->count == 0) {
        darc_text_puts(out, "an offset");
    } else if (c->count == 1 && f->sign) {
        darc_text_puts(out, "dry friction, sign(");
        print_base(out, f, names);
        darc_text_puts(out, ")");
    } else if (c->count == 1 && c->order == 0 &&
               (f->power == 2 || f->power == 3)) {
        darc_text_puts(out, f->power == 2 ? "a quadratic term in "
                                          : "a cubic term in ");
        print_base(out, f, names);
    } else {
        darc_text_puts(out, "the term ");
        darc_candidate_print(out, c, names);
    }
}

static const char *blanks(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/* States and parameters stand in the model, but no recording holds them. */
static bool is_signal(const darc_names_struct *names, int u)
{
    return names->symbol[u].kind != DARC_STATE &&
           names->symbol[u].kind != DARC_PARAMETER;
}

/* derivative -> signal { "'" }; NULL when there is none */
static const char *read_deriv(darc_deriv *d, const char *s,
                              const darc_names_t names)
{
    size_t n = 0;
    s = blanks(s);
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    d->unknown = n > 0 ? darc_names_find(names, s, n) : -1;
    d->order = 0;
    if (d->unknown < 0 || !is_signal(names, d->unknown))
        return NULL;
    for (s += n; *s == '\''; s++)
        d->order++;
    return blanks(s);
}

/* base -> derivative [ "-" derivative ], both of one order */
static const char *read_base(darc_candidate_factor *f, const char *s,
                             const darc_names_t names)
{
    darc_deriv other;
    s = read_deriv(&f->d, s, names);
    if (s == NULL || *s != '-')
        return s;
    s = read_deriv(&other, s + 1, names);
    f->other = other.unknown;
    return s != NULL && other.order == f->d.order ? s : NULL;
}

/* factor -> "sign(" base ")" | ( derivative | "(" base ")" ) [ "^" digit ] */
static const char *read_factor(darc_candidate_factor *f, const char *s,
                               const darc_names_t names)
{
    *f = (darc_candidate_factor){.power = 1, .other = -1};
    s = blanks(s);
    f->sign = strncmp(s, "sign(", 5) == 0;
    bool group = f->sign || *s == '(';
    s = group ? read_base(f, s + (f->sign ? 5 : 1), names)
              : read_deriv(&f->d, s, names);
    if (s != NULL && group)
        s = *s == ')' ? blanks(s + 1) : NULL;
    if (s == NULL || f->sign || *s != '^')
        return s;
    s = blanks(s + 1);
    if (*s < '1' || *s > '9')
        return NULL;
    f->power = *s - '0';
    return blanks(s + 1);
}

/* What stands before a parenthesis and is no product: lag(z), origin(z),
 * der(z^3, 2). */
static const char *read_kind(darc_candidate *c, const char *s)
{
    bool der = strncmp(s, "der(", 4) == 0;
    if (strncmp(s, "lag(", 4) == 0)
        c->kind = DARC_CANDIDATE_LAG;
    else if (strncmp(s, "origin(", 7) == 0)
        c->kind = DARC_CANDIDATE_ORIGIN;
    return c->kind == DARC_CANDIDATE_TERM && !der ? s : strchr(s, '(') + 1;
}

/* Read ", 2" of der(z^3, 2); return what follows, NULL where there is none. */
static const char *read_order(darc_candidate *c, const char *s)
{
    const char *digit = blanks(s + 1);
    if (*s != ',' || *digit < '1' || *digit > '9')
        return NULL;
    c->order = *digit - '0';
    return blanks(digit + 1);
}

/* Whether it is one signal as it is. */
static bool is_plain_signal(const darc_candidate *c)
{
    const darc_candidate_factor *f = c->f;
    return c->count == 1 && f->d.order == 0 && f->other < 0 && f->power == 1 &&
           !f->sign;
}

static darc_status refuse_term(const char *text, const darc_names_struct *names,
                               darc_err *err)
{
    darc_text_t list = DARC_TEXT;
    for (int u = 0; u < names->count; u++)
        if (is_signal(names, u))
            darc_text_printf(list, "%s%s", list->len > 0 ? ", " : "",
                             names->symbol[u].name);
    darc_status status = darc_fail(
        err, DARC_USAGE,
        "--against: term '%s': expected signals of the model (%.200s) in a "
        "shape such as z^3, z*z', (z - y)^3, sign(z'), lag(z) or "
        "offset",
        text, list->s);
    darc_text_clear(list);
    return status;
}

/* term -> "1" | "offset" | kind "(" signal ")" | product
 *       | "der(" product "," digit ")"
 * product -> factor { "*" factor } */
darc_status darc_candidate_parse(darc_candidate *c, const char *text,
                                 const darc_names_t names, darc_err *err)
{
    *c = (darc_candidate){.kind = DARC_CANDIDATE_TERM};
    const char *s = blanks(text), *begin = read_kind(c, s);
    if (strcmp(s, "1") == 0 || strcmp(s, "offset") == 0)
        return DARC_OK;
    char end = begin == s ? '\0' : ')';
    bool der = end == ')' && c->kind == DARC_CANDIDATE_TERM;
    s = begin;
    do {
        if (c->count == DARC_CANDIDATE_FACTORS)
            return darc_fail(err, DARC_USAGE,
                             "--against: term '%s': more than %d factors", text,
                             (int)DARC_CANDIDATE_FACTORS);
        s = read_factor(c->f + c->count++, s, names);
        if (s != NULL && der && *s != '*')
            s = read_order(c, s);
    } while (s != NULL && *s++ == '*');
    bool whole =
        s != NULL && s[-1] == end && (end == '\0' || *blanks(s) == '\0');
    if (!whole || (end == ')' && !der && !is_plain_signal(c)))
        return refuse_term(text, names, err);
    return DARC_OK;
}

typedef struct {
    darc_candidate *list;
    int count;
    const darc_ioeq *eq;
    const darc_jet_struct *jet;
} listing;

/* Whether a part of the equation is this monomial, up to a number. */
static bool is_part(const listing *l, const darc_candidate *c)
{
    const darc_jet_struct *jet = l->jet;
    ulong *e = darc_calloc((size_t)jet->vars, sizeof *e);
    bool found = false;
    for (slong j = 0; j < l->eq->part->count && !found; j++) {
        const fmpz_mpoly_struct *p = l->eq->part->p + j;
        if (p->length != 1)
            continue;
        fmpz_mpoly_get_term_exp_ui(e, p, 0, jet->ctx);
        bool same = true;
        for (slong v = 0; v < jet->vars && same; v++) {
            ulong want = 0;
            for (int i = 0; i < c->count; i++)
                if (c->f[i].d.unknown == jet->deriv[v].unknown &&
                    c->f[i].d.order == jet->deriv[v].order)
                    want += (ulong)c->f[i].power;
            same = e[v] == want;
        }
        found = same;
    }
    darc_free(e);
    return found;
}

static void add_candidate(listing *l, darc_candidate c)
{
    bool composed = c.kind != DARC_CANDIDATE_TERM ||
                    darc_candidate_sign(&c) != NULL || c.order > 0 ||
                    (c.count > 0 && c.f[0].other >= 0);
    if (l->count < DARC_CANDIDATES && (composed || !is_part(l, &c)))
        l->list[l->count++] = c;
}

static darc_candidate of_sensor(darc_candidate_kind kind, int u)
{
    return (darc_candidate){
        .kind = kind, .count = 1, .f = {{{u, 0}, -1, 1, false}}};
}

static int top_order(const listing *l, int u)
{
    int top = 0;
    for (slong j = 0; j < l->eq->part->count; j++) {
        int k = darc_dpoly_order(l->eq->part->p + j, u, l->jet);
        top = k > top ? k : top;
    }
    return top;
}

/* Whether u stands in a part of degree above 1. */
static bool is_nonlinear(const listing *l, int u)
{
    for (slong j = 0; j < l->eq->part->count; j++)
        if (darc_dpoly_order(l->eq->part->p + j, u, l->jet) >= 0 &&
            fmpz_mpoly_total_degree_si(l->eq->part->p + j, l->jet->ctx) > 1)
            return true;
    return false;
}

static void add_signal(listing *l, int u)
{
    darc_deriv y = {u, 0}, v = {u, 1}, a = {u, 2};
    int top = top_order(l, u);
    darc_deriv s = top > 1 ? v : y; /* a speed, on which drag works */
    const darc_candidate more[] = {
        {.count = 2, .f = {{y, -1, 1, false}, {v, -1, 1, false}}},
        {.count = 2, .f = {{y, -1, 2, false}, {v, -1, 1, false}}},
        {.count = 1, .f = {{v, -1, 2, false}}},
        {.count = 1, .f = {{v, -1, 3, false}}},
        {.count = 1, .f = {{v, -1, 1, true}}},
        {.count = 1, .f = {{y, -1, 1, true}}},
        {.count = 2, .f = {{s, -1, 2, false}, {s, -1, 1, true}}},
        {.count = 2, .f = {{v, -1, 2, false}, {a, -1, 1, false}}}};
    for (int k = 0; k <= top + 1; k++)
        add_candidate(
            l, (darc_candidate){.count = 1, .f = {{{u, k}, -1, 1, false}}});
    for (int n = 2; n <= 3; n++)
        add_candidate(l,
                      (darc_candidate){.count = 1, .f = {{y, -1, n, false}}});
    for (int n = 2; n <= 3 && top > 1; n++)
        add_candidate(l, (darc_candidate){
                             .count = 1, .f = {{y, -1, n, false}}, .order = 2});
    add_candidate(l, of_sensor(DARC_CANDIDATE_LAG, u));
    if (is_nonlinear(l, u))
        add_candidate(l, of_sensor(DARC_CANDIDATE_ORIGIN, u));
    for (int i = 0; i < (top > 1 ? 8 : 7) && top > 0; i++)
        add_candidate(l, more[i]);
}

/* Powers and friction of a difference that stands in the equation. */
static void add_difference(listing *l, int u, int w)
{
    for (int k = 0; k < 2; k++) {
        darc_deriv d = {u, k};
        for (int n = 2; n <= 3; n++)
            add_candidate(
                l, (darc_candidate){.count = 1, .f = {{d, w, n, false}}});
        add_candidate(l, (darc_candidate){.count = 1, .f = {{d, w, 1, true}}});
        add_candidate(
            l, (darc_candidate){.count = 2,
                                .f = {{d, w, 2, false}, {d, w, 1, true}}});
    }
}

static void add_products(listing *l, int u, int w)
{
    darc_deriv a = {u, 0}, b = {w, 0};
    for (int i = 1; i <= 2; i++)
        for (int k = 1; i + k <= 3; k++)
            add_candidate(l, (darc_candidate){
                                 .count = 2,
                                 .f = {{a, -1, i, false}, {b, -1, k, false}}});
}

/* Whether p holds k*a - k*b. */
static bool holds_difference(const fmpz_mpoly_struct *p, slong a, slong b,
                             const darc_jet_struct *jet)
{
    fmpz_t x, y;
    ulong *e = darc_calloc((size_t)jet->vars, sizeof *e);
    fmpz_init(x);
    fmpz_init(y);
    e[a] = 1;
    fmpz_mpoly_get_coeff_fmpz_ui(x, p, e, jet->ctx);
    e[a] = 0;
    e[b] = 1;
    fmpz_mpoly_get_coeff_fmpz_ui(y, p, e, jet->ctx);
    fmpz_neg(y, y);
    bool found = !fmpz_is_zero(x) && fmpz_equal(x, y);
    fmpz_clear(x);
    fmpz_clear(y);
    darc_free(e);
    return found;
}

/* Whether some part holds k*u - k*w, whatever their common order. */
static bool is_difference(const listing *l, int u, int w)
{
    for (int k = 0; k <= 1; k++) {
        slong a = darc_jet_var(l->jet, (darc_deriv){u, k});
        slong b = darc_jet_var(l->jet, (darc_deriv){w, k});
        for (slong j = 0; j < l->eq->part->count && a >= 0 && b >= 0; j++)
            if (holds_difference(l->eq->part->p + j, a, b, l->jet))
                return true;
    }
    return false;
}

int darc_candidates_list(darc_candidate *list, const darc_total_t total,
                         const bool *skip, const darc_ioeq *eq,
                         const darc_jet_t jet)
{
    listing l = {list, 0, eq, jet};
    int n = jet->names->count;
    add_candidate(&l, (darc_candidate){.count = 0});
    for (int u = 0; u < n; u++)
        if (!skip[u] && darc_total_var(total, (darc_deriv){u, 0}) >= 0)
            add_signal(&l, u);
    for (int u = 0; u < n; u++)
        for (int w = u + 1; w < n; w++)
            if (!skip[u] && !skip[w] &&
                darc_total_var(total, (darc_deriv){u, 0}) >= 0 &&
                darc_total_var(total, (darc_deriv){w, 0}) >= 0) {
                if (is_difference(&l, u, w))
                    add_difference(&l, u, w);
                add_products(&l, u, w);
            }
    return l.count;
}

const darc_candidate_factor *darc_candidate_sign(const darc_candidate *c)
{
    for (int i = 0; i < c->count; i++)
        if (c->f[i].sign)
            return c->f + i;
    return NULL;
}

/* Multiply out factor i and those behind it. */
static void expand(darc_total_t total, int coeff, const darc_candidate *c,
                   int i, double factor, int *e)
{
    if (i == c->count) {
        darc_total_put(total, coeff, factor, c->order, e);
        return;
    }
    const darc_candidate_factor *f = c->f + i;
    if (f->sign) {
        expand(total, coeff, c, i + 1, factor, e);
        return;
    }
    int v = darc_total_var(total, f->d);
    int w = f->other < 0
                ? -1
                : darc_total_var(total, (darc_deriv){f->other, f->d.order});
    for (int k = 0; k <= (w < 0 ? 0 : f->power); k++) {
        e[v] += f->power - k;
        if (w >= 0)
            e[w] += k;
        expand(total, coeff, c, i + 1, factor, e);
        e[v] -= f->power - k;
        if (w >= 0)
            e[w] -= k;
        factor *= -(double)(f->power - k) / (k + 1); /* binomial, signed */
    }
}

static bool is_inside(const darc_total_t total, const darc_candidate *c)
{
    for (int i = 0; i < c->count; i++) {
        const darc_candidate_factor *f = c->f + i;
        darc_deriv other = {f->other, f->d.order};
        if (!f->sign && (darc_total_var(total, f->d) < 0 ||
                         (f->other >= 0 && darc_total_var(total, other) < 0)))
            return false;
    }
    return true;
}

/* Append what a sensor does to the model's own terms that hold u: a lag, the
 * total derivative of each; an origin, the derivative by u of those that it
 * bends.  Return whether there is any. */
static bool append_sensor(darc_total_t total, int coeff,
                          const darc_model_terms *m, const darc_candidate *c)
{
    bool lag = c->kind == DARC_CANDIDATE_LAG, any = false;
    int *e = darc_calloc((size_t)total->vars, sizeof *e);
    for (int i = 0; i < m->terms; i++) {
        const darc_total_term t = total->term[i];
        double factor = m->c[t.coeff] * fmpq_get_d(t.factor);
        bool held = false, constant = true;
        for (int v = 0; v < total->vars; v++) {
            bool own = t.exponent[v] != 0 &&
                       total->var[v].unknown == c->f->d.unknown &&
                       (lag || total->var[v].order == 0);
            e[v] = t.exponent[v] - (own && !lag);
            factor *= own && !lag ? t.exponent[v] : 1;
            held = held || own;
            constant = constant && e[v] == 0;
        }
        if (!held || t.log >= 0 || m->c[t.coeff] == 0 ||
            (lag && t.order == DARC_WEAK_MAX_ORDER) ||
            (!lag && constant)) /* an offset takes that up */
            continue;
        darc_total_put(total, coeff, factor, t.order + lag, e);
        any = true;
    }
    darc_free(e);
    return any;
}

int darc_candidate_append(darc_total_t total, const darc_candidate *cand,
                          const darc_model_terms *own, int sign)
{
    if (cand->kind == DARC_CANDIDATE_TERM) {
        if (!is_inside(total, cand) ||
            (cand->order > 0 && !darc_total_is_plain(total)))
            return -1;
        int *e = darc_calloc((size_t)total->vars, sizeof *e);
        if (sign >= 0)
            e[sign] = 1;
        int coeff = darc_total_open(total);
        expand(total, coeff, cand, 0, 1, e);
        darc_free(e);
        darc_total_reduce(total);
        return coeff;
    }
    if (!darc_total_is_plain(total)) /* mu would have to lag as well */
        return -1;
    int coeff = darc_total_open(total);
    if (append_sensor(total, coeff, own, cand))
        return coeff;
    total->coeffs--;
    return -1;
}
