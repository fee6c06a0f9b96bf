#include "fit/candidate.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------
 */

void darc_candidate_print(darc_text_t out, const darc_candidate *c,
                          const darc_names_t names)
{
    if (c->count == 0)
        darc_text_putc(out, '1');
    for (int i = 0; i < c->count; i++) {
        darc_text_puts(out, i > 0 ? "*" : "");
        darc_text_puts(out, c->f[i].sign ? "sign(" : "");
        darc_deriv_print(out, c->f[i].d, names);
        darc_text_puts(out, c->f[i].sign ? ")" : "");
        if (!c->f[i].sign && c->f[i].power != 1)
            darc_text_printf(out, "^%d", c->f[i].power);
    }
}

void darc_candidate_say(darc_text_t out, const darc_candidate *c,
                        const darc_names_t names)
{
    const darc_candidate_factor *f = c->f;
    if (c->count == 0) {
        darc_text_puts(out, "an offset");
    } else if (c->count == 1 && f->sign) {
        darc_text_printf(out, "dry friction in %s",
                         names->symbol[f->d.unknown].name);
    } else if (c->count == 1 && (f->power == 2 || f->power == 3)) {
        darc_text_puts(out, f->power == 2 ? "a quadratic term in "
                                          : "a cubic term in ");
        darc_deriv_print(out, f->d, names);
    } else {
        darc_text_puts(out, "the term ");
        darc_candidate_print(out, c, names);
        if (c->count == 1 && f->d.order > 0 &&
            names->symbol[f->d.unknown].kind == DARC_INPUT)
            darc_text_printf(out, " (a delay of %s)",
                             names->symbol[f->d.unknown].name);
    }
}

/* ---- reading ----------------------------------------------------------------
 */

static const char *blanks(const char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    return s;
}

/* derivative -> name { "'" }; NULL when there is none */
static const char *read_deriv(darc_deriv *d, const char *s,
                              const darc_names_t names)
{
    size_t n = 0;
    s = blanks(s);
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    d->unknown = n > 0 ? darc_names_find(names, s, n) : -1;
    d->order = 0;
    if (d->unknown < 0)
        return NULL;
    for (s += n; *s == '\''; s++)
        d->order++;
    return blanks(s);
}

/* factor -> "sign(" derivative ")" | derivative [ "^" digit ] */
static const char *read_factor(darc_candidate_factor *f, const char *s,
                               const darc_names_t names)
{
    *f = (darc_candidate_factor){.power = 1};
    s = blanks(s);
    if (strncmp(s, "sign(", 5) == 0) {
        f->sign = true;
        s = read_deriv(&f->d, s + 5, names);
        return s != NULL && *s == ')' ? blanks(s + 1) : NULL;
    }
    s = read_deriv(&f->d, s, names);
    if (s == NULL || *s != '^')
        return s;
    s = blanks(s + 1);
    if (*s < '1' || *s > '9')
        return NULL;
    f->power = *s - '0';
    return blanks(s + 1);
}

/* term -> "1" | "offset" | factor { "*" factor } */
darc_status darc_candidate_parse(darc_candidate *c, const char *text,
                                 const darc_names_t names, darc_err *err)
{
    *c = (darc_candidate){0};
    const char *s = blanks(text);
    if (strcmp(s, "1") == 0 || strcmp(s, "offset") == 0)
        return DARC_OK;
    do {
        if (c->count == DARC_CANDIDATE_FACTORS)
            return darc_fail(err, DARC_DOMAIN,
                             "term '%s': more than %d factors", text,
                             (int)DARC_CANDIDATE_FACTORS);
        s = read_factor(c->f + c->count++, s, names);
    } while (s != NULL && *s++ == '*');
    if (s == NULL || s[-1] != '\0')
        return darc_fail(err, DARC_DOMAIN,
                         "term '%s': expected signals of the model, such as "
                         "z^3, z*z', sign(z') or offset",
                         text);
    return DARC_OK;
}

/* ---- what to try
 * -------------------------------------------------------------- */

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

static void add(listing *l, darc_candidate c)
{
    if (l->count < DARC_CANDIDATES && (c.f[0].sign || !is_part(l, &c)))
        l->list[l->count++] = c;
}

static darc_candidate power(darc_deriv d, int n)
{
    return (darc_candidate){1, {{d, n, false}}};
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

static void add_signal(listing *l, int u)
{
    darc_deriv y = {u, 0}, v = {u, 1};
    int top = top_order(l, u);
    for (int k = 0; k <= top + 1; k++)
        add(l, power((darc_deriv){u, k}, 1));
    add(l, power(y, 2));
    add(l, power(y, 3));
    if (top == 0)
        return;
    add(l, (darc_candidate){2, {{y, 1, false}, {v, 1, false}}});
    add(l, (darc_candidate){2, {{y, 2, false}, {v, 1, false}}});
    add(l, power(v, 2));
    add(l, power(v, 3));
    add(l, (darc_candidate){1, {{v, 1, true}}});
}

static void add_products(listing *l, int u, int w)
{
    darc_deriv a = {u, 0}, b = {w, 0};
    for (int i = 1; i <= 2; i++)
        for (int k = 1; i + k <= 3; k++)
            add(l, (darc_candidate){2, {{a, i, false}, {b, k, false}}});
}

int darc_candidates_list(darc_candidate *list, const darc_total_t total,
                         const bool *skip, const darc_ioeq *eq,
                         const darc_jet_t jet)
{
    listing l = {list, 0, eq, jet};
    int n = jet->names->count;
    add(&l, (darc_candidate){0});
    for (int u = 0; u < n; u++)
        if (!skip[u] && darc_total_var(total, (darc_deriv){u, 0}) >= 0)
            add_signal(&l, u);
    for (int u = 0; u < n; u++)
        for (int w = u + 1; w < n; w++)
            if (!skip[u] && !skip[w] &&
                darc_total_var(total, (darc_deriv){u, 0}) >= 0 &&
                darc_total_var(total, (darc_deriv){w, 0}) >= 0)
                add_products(&l, u, w);
    return l.count;
}
