#include "darc/identify.h"

#include "base/mem.h"
#include "relation/candidates.h"
#include "relation/coeffs.h"
#include "relation/fibre.h"

#include <assert.h>
#include <string.h>

/* Points modulo the first prime at which functions are sought, and one more
 * modulo a second prime, at which every answer is checked. */
#define PLACES 3
#define CHECK PLACES

/* What is known on the way. */
typedef struct {
    darc_identification_struct *out;
    const darc_coeffs_struct *c;
    darc_ratios_t ratio; /* all ratios of coefficients */
    darc_ratios_t field; /* some of them that generate the field */
    darc_ratios_t gen;   /* short generators */
    darc_place place[PLACES + 1];
    darc_groebner_t basis[PLACES + 1]; /* of the fibres of field */
    darc_place own_place;              /* place[0], made for divisors */
    darc_groebner_t own;               /* of the fibre of gen there */
    bool complete;                     /* gen generates the field */
    const darc_budget *budget;
} finder;

const char *darc_identifiability_text(darc_identifiability id)
{
    static const char *const text[] = {"no", "local", "global"};
    return text[id];
}

static void add_ratios(finder *w)
{
    for (int i = 0; i < w->c->vectors; i++)
        for (slong j = w->c->first[i] + 1; j < w->c->first[i + 1]; j++)
            darc_ratios_append(w->ratio, w->c->b + j, w->c->b + w->c->first[i]);
    darc_ratios_sort(w->ratio, 0);
}

/* Return whether every parameter that occurs is constant on the fibre. */
static bool fixes_all(const finder *w, int at)
{
    bool all = true;
    fmpz_mpoly_t x, one;
    fmpz_mpoly_init(x, w->c->ctx);
    fmpz_mpoly_init(one, w->c->ctx);
    fmpz_mpoly_one(one, w->c->ctx);
    for (slong v = 0; v < w->c->vars && all; v++) {
        fmpz_mpoly_gen(x, v, w->c->ctx);
        all = darc_fibre_fixes(w->basis[at], x, one, w->c->ctx, w->place + at);
    }
    fmpz_mpoly_clear(x, w->c->ctx);
    fmpz_mpoly_clear(one, w->c->ctx);
    return all;
}

static darc_status update(darc_groebner_t b, const darc_ratios_t f,
                          const darc_place *p, const darc_budget *budget,
                          darc_err *err)
{
    darc_groebner_clear(b);
    return darc_fibre_init(b, f, p, budget, err);
}

/* Choose among the ratios, short ones first, a transcendence basis; then
 * those that are not yet in the field. */
static darc_status choose_field(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    slong rank = darc_ratios_rank(w->ratio, 1), found = 0;
    bool *taken = darc_calloc((size_t)w->ratio->count + 1, sizeof *taken);
    for (slong k = 0; k < w->ratio->count && found < rank; k++) {
        DARC_TRY(darc_budget_check(w->budget, err));
        darc_ratios_append(w->field, w->ratio->num + k, w->ratio->den + k);
        taken[k] = darc_ratios_rank(w->field, 2) == found + 1;
        if (taken[k])
            found++;
        else
            darc_ratios_remove(w->field, found);
    }
    DARC_TRY(update(w->basis[0], w->field, w->place, w->budget, err));
    for (slong k = 0; k < w->ratio->count; k++) {
        if (taken[k])
            continue;
        DARC_TRY(darc_budget_check(w->budget, err));
        if (fixes_all(w, 0))
            break;
        if (darc_fibre_fixes(w->basis[0], w->ratio->num + k, w->ratio->den + k,
                             w->c->ctx, w->place))
            continue;
        darc_ratios_append(w->field, w->ratio->num + k, w->ratio->den + k);
        DARC_TRY(update(w->basis[0], w->field, w->place, w->budget, err));
    }
    for (int i = 1; i <= PLACES; i++)
        DARC_TRY(update(w->basis[i], w->field, w->place + i, w->budget, err));
    w->out->dimension = rank;
done:
    darc_free(taken);
    return status;
}

/* Global: constant on the fibres at points modulo two primes.  Local: adding
 * it to the field does not raise the rank. */
static void classify(finder *w)
{
    fmpz_mpoly_t x, one;
    fmpz_mpoly_init(x, w->c->ctx);
    fmpz_mpoly_init(one, w->c->ctx);
    fmpz_mpoly_one(one, w->c->ctx);
    for (slong v = 0; v < w->c->vars; v++) {
        fmpz_mpoly_gen(x, v, w->c->ctx);
        bool global =
            darc_fibre_fixes(w->basis[0], x, one, w->c->ctx, w->place) &&
            darc_fibre_fixes(w->basis[CHECK], x, one, w->c->ctx,
                             w->place + CHECK);
        darc_identifiability id = DARC_GLOBALLY;
        if (!global) {
            slong n = w->field->count;
            bool new = darc_ratios_append(w->field, x, one);
            id = darc_ratios_rank(w->field, 3) > w->out->dimension
                     ? DARC_NOT_IDENTIFIABLE
                     : DARC_LOCALLY;
            if (new)
                darc_ratios_remove(w->field, n);
        }
        w->out->parameter[v] = id;
    }
    fmpz_mpoly_clear(x, w->c->ctx);
    fmpz_mpoly_clear(one, w->c->ctx);
}

/* Return whether all of f is constant on the fibre b at own_place. */
static bool fixes_functions(const darc_groebner_t b, const darc_ratios_t f,
                            const finder *w)
{
    for (slong k = 0; k < f->count; k++)
        if (!darc_fibre_fixes(b, f->num + k, f->den + k, w->c->ctx,
                              &w->own_place))
            return false;
    return true;
}

/* Add num/den to the generators if it is in the field and new to them. */
static darc_status consider(finder *w, const fmpz_mpoly_t num,
                            const fmpz_mpoly_t den, darc_err *err)
{
    const fmpz_mpoly_ctx_struct *ctx = w->c->ctx;
    if (!darc_fibre_fixes(w->basis[CHECK], num, den, ctx, w->place + CHECK))
        return DARC_OK;
    if (w->gen->count > 0 &&
        darc_fibre_fixes(w->own, num, den, ctx, &w->own_place))
        return DARC_OK;
    if (!darc_ratios_append(w->gen, num, den))
        return DARC_OK;
    darc_status status = update(w->own, w->gen, &w->own_place, w->budget, err);
    if (status == DARC_OK && w->gen->count >= w->out->dimension)
        w->complete = fixes_functions(w->own, w->field, w);
    return status;
}

/* Consider the P/den with deg P <= degree. */
static darc_status search(finder *w, const fmpz_mpoly_t den, slong degree,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ratios_t f;
    darc_ratios_init(f, w->c->ctx);
    DARC_TRY(darc_candidates(f, den, degree, w->basis[0], w->place, PLACES,
                             w->budget, err));
    for (slong k = 0; k < f->count && !w->complete; k++)
        DARC_TRY(consider(w, f->num + k, f->den + k, err));
done:
    darc_ratios_clear(f);
    return status;
}

/* Consider polynomials of a degree over the single parameters. */
static darc_status search_quotients(finder *w, slong degree, darc_err *err)
{
    darc_status status = DARC_OK;
    fmpz_mpoly_t x;
    fmpz_mpoly_init(x, w->c->ctx);
    for (slong v = 0; v < w->c->vars && !w->complete; v++) {
        if (w->out->parameter[v] == DARC_GLOBALLY)
            continue;
        fmpz_mpoly_gen(x, v, w->c->ctx);
        DARC_TRY(search(w, x, degree, err));
    }
done:
    fmpz_mpoly_clear(x, w->c->ctx);
    return status;
}

static darc_status search_all(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    fmpz_mpoly_t one;
    fmpz_mpoly_init(one, w->c->ctx);
    fmpz_mpoly_one(one, w->c->ctx);
    for (slong degree = 1; degree <= 3 && !w->complete; degree++) {
        DARC_TRY(search(w, one, degree, err));
        if (degree <= 2 && !w->complete)
            DARC_TRY(search_quotients(w, degree, err));
    }
    for (slong k = 0; k < w->field->count && !w->complete; k++)
        DARC_TRY(consider(w, w->field->num + k, w->field->den + k, err));
done:
    fmpz_mpoly_clear(one, w->c->ctx);
    return status;
}

/* Remove generators that the others make superfluous, the longest first. */
static darc_status prune(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_groebner_t b;
    memset(b, 0, sizeof *b);
    darc_ratios_t f;
    darc_ratios_init(f, w->c->ctx);
    darc_ratios_sort(w->gen, 0);
    for (slong k = w->gen->count - 1;
         k >= 0 && w->gen->count > w->out->dimension; k--) {
        darc_ratios_clear(f);
        darc_ratios_init(f, w->c->ctx);
        for (slong i = 0; i < w->gen->count; i++)
            if (i != k)
                darc_ratios_append(f, w->gen->num + i, w->gen->den + i);
        DARC_TRY(update(b, f, &w->own_place, w->budget, err));
        if (fixes_functions(b, w->field, w))
            darc_ratios_remove(w->gen, k);
    }
done:
    darc_groebner_clear(b);
    darc_ratios_clear(f);
    return status;
}

static void finder_init(finder *w, darc_identification_t out,
                        const darc_coeffs_t c, const darc_budget *budget)
{
    memset(w, 0, sizeof *w);
    w->out = out;
    w->c = c;
    w->budget = budget;
    darc_ratios_init(w->ratio, c->ctx);
    darc_ratios_init(w->field, c->ctx);
    darc_ratios_init(w->gen, c->ctx);
}

/* Choose the points; own_place is place[0] in another ring. */
static void choose_places(finder *w)
{
    flint_rand_t state;
    flint_randinit(state);
    slong vars = fmpz_mpoly_ctx_nvars(w->c->ctx);
    bool divisors = darc_ratios_have_divisors(w->ratio);
    ulong prime = darc_coeffs_prime(state), second = darc_coeffs_prime(state);
    for (int i = 0; i <= PLACES; i++)
        darc_place_init(w->place + i, vars, divisors,
                        i == CHECK ? second : prime, state);
    darc_place_init(&w->own_place, vars, true, prime, state);
    for (slong v = 0; v < vars; v++)
        w->own_place.x[v] = w->place[0].x[v];
    flint_randclear(state);
}

static void finder_clear(finder *w)
{
    darc_ratios_clear(w->ratio);
    darc_ratios_clear(w->field);
    darc_ratios_clear(w->gen);
    darc_groebner_clear(w->own);
    for (int i = 0; i <= PLACES; i++) {
        darc_groebner_clear(w->basis[i]);
        darc_place_clear(w->place + i);
    }
    darc_place_clear(&w->own_place);
}

static void identification_init(darc_identification_t out,
                                const darc_coeffs_t c)
{
    memset(out, 0, sizeof *out);
    size_t n = (size_t)c->vars + 1;
    out->vars = c->vars;
    out->name = darc_calloc(n, sizeof *out->name);
    out->unknown = darc_calloc(n, sizeof *out->unknown);
    out->parameter = darc_calloc(n, sizeof *out->parameter);
    for (slong v = 0; v < c->vars; v++) {
        out->name[v] = darc_strdup(c->name[v]);
        out->unknown[v] = c->unknown[v];
    }
    fmpz_mpoly_ctx_init(out->ctx, fmpz_mpoly_ctx_nvars(c->ctx), ORD_DEGREVLEX);
}

static void take_generators(darc_identification_t out, const darc_ratios_t f)
{
    size_t n = (size_t)f->count + 1;
    out->count = f->count;
    out->num = darc_calloc(n, sizeof *out->num);
    out->den = darc_calloc(n, sizeof *out->den);
    for (slong k = 0; k < f->count; k++) {
        fmpz_mpoly_init(out->num + k, out->ctx);
        fmpz_mpoly_init(out->den + k, out->ctx);
        fmpz_mpoly_set(out->num + k, f->num + k, out->ctx);
        fmpz_mpoly_set(out->den + k, f->den + k, out->ctx);
    }
}

static darc_status find(darc_identification_t out, const darc_coeffs_t c,
                        const darc_budget *budget, darc_err *err)
{
    darc_status status;
    finder w;
    finder_init(&w, out, c, budget);
    add_ratios(&w);
    choose_places(&w);
    DARC_TRY(choose_field(&w, err));
    classify(&w);
    if (w.field->count > 0) {
        DARC_TRY(search_all(&w, err));
        DARC_TRY(prune(&w, err));
    }
    take_generators(out, w.gen);
done:
    finder_clear(&w);
    return status;
}

darc_status darc_identification_init(darc_identification_t out,
                                     const darc_ioeqs_t io,
                                     const darc_budget *budget, darc_err *err)
{
    for (int i = 0; i < io->count; i++)
        if (!io->eq[i].expanded)
            return darc_fail(
                err, DARC_DOMAIN,
                "the coefficients of the io-equation of '%s' are not known as "
                "polynomials",
                io->jet->names->symbol[io->eq[i].leader.unknown].name);
    darc_coeffs_t c;
    darc_coeffs_init(c, io, -1, NULL);
    identification_init(out, c);
    darc_status status = find(out, c, budget, err);
    darc_coeffs_clear(c);
    if (status != DARC_OK)
        darc_identification_clear(out);
    return status;
}

void darc_identification_clear(darc_identification_t f)
{
    for (slong k = 0; k < f->count; k++) {
        fmpz_mpoly_clear(f->num + k, f->ctx);
        fmpz_mpoly_clear(f->den + k, f->ctx);
    }
    for (slong v = 0; v < f->vars; v++)
        darc_free(f->name[v]);
    darc_free(f->num);
    darc_free(f->den);
    darc_free(f->name);
    darc_free(f->unknown);
    darc_free(f->parameter);
    fmpz_mpoly_ctx_clear(f->ctx);
    memset(f, 0, sizeof *f);
}

/* Append p, in parentheses where it must not stand bare beside a slash. */
static void print_part(darc_text_t out, const fmpz_mpoly_t p, bool divisor,
                       const darc_identification_t f)
{
    const char **names = f->vars > 0 ? (const char **)f->name : NULL;
    char *s = fmpz_mpoly_get_str_pretty(p, names, f->ctx);
    bool bare = p->length == 1 && (!divisor || strchr(s, '*') == NULL);
    darc_text_printf(out, bare ? "%s" : "(%s)", s);
    flint_free(s);
}

void darc_identification_print(darc_text_t out, const darc_identification_t f,
                               slong k)
{
    assert(k >= 0 && k < f->count);
    if (fmpz_mpoly_is_one(f->den + k, f->ctx)) {
        const char **names = f->vars > 0 ? (const char **)f->name : NULL;
        char *s = fmpz_mpoly_get_str_pretty(f->num + k, names, f->ctx);
        darc_text_puts(out, s);
        flint_free(s);
        return;
    }
    print_part(out, f->num + k, false, f);
    darc_text_putc(out, '/');
    print_part(out, f->den + k, true, f);
}
