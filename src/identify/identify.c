#include "identify/identify.h"

#include "base/mem.h"
#include "coefficient/scaling.h"
#include "eliminate/eliminate.h"
#include "identify/field.h"
#include "identify/sensitivity.h"
#include "identify/thresholds.h"
#include "model/model.h"
#include "projection/dae.h"

#include <assert.h>
#include <string.h>

const char *darc_identifiability_text(darc_identifiability id)
{
    static const char *const text[] = {"no", "local", "global", "undecided"};
    return text[id];
}

static void identification_init(darc_identification_t out,
                                const darc_names_struct *names)
{
    size_t n = (size_t)names->count + 1;
    *out = (darc_identification_struct){.vars = 0};
    DARC_CALLOC(n, out->name, out->unknown, out->parameter, out->confirmed,
                out->settled, out->number, out->implied);
    for (int u = 0; u < names->count; u++) {
        if (names->symbol[u].kind != DARC_PARAMETER)
            continue;
        out->name[out->vars] = darc_strdup(names->symbol[u].name);
        out->number[out->vars] = names->symbol[u].number;
        out->unknown[out->vars++] = u;
    }
    out->own = out->vars;
    out->ctx = darc_malloc(sizeof *out->ctx);
    fmpz_mpoly_ctx_init(out->ctx, FLINT_MAX(out->vars, 1), ORD_DEGREVLEX);
    darc_ratios_init(out->function, out->ctx);
}

/* Take the statuses from what experiments say; lost: of functions whose
 * constants are not known. */
static void take_statuses(darc_identification_t out,
                          const darc_information_t info, bool lost)
{
    slong known = out->implicit ? out->own : out->vars;
    out->shown = info->rank;
    out->experiments = info->experiments;
    for (slong v = 0; v < out->vars; v++) {
        bool told = v < known && darc_information_fixes(info, v);
        bool once = told && (info->once == NULL || info->once[v]);
        out->parameter[v] = once ? DARC_LOCALLY
                            : told || lost || v >= known
                                ? DARC_PERHAPS
                                : DARC_NOT_IDENTIFIABLE;
    }
}

/* What is known to first order, with functions at their values: all that they
 * show, in `shown`; and the rank of F, which takes them up to a constant.
 * DARC_DOMAIN: the model has no solved form. */
static darc_status look_locally(darc_identification_t out,
                                const darc_model *model,
                                const darc_budget *budget, darc_err *err)
{
    darc_solved_t s;
    darc_information_t info;
    bool functions = out->lost = !darc_adjoined_are_exact(model);
    bool bound = false, parametric = darc_adjoined_have_parametric(model);
    DARC_NEED(darc_solved_init(s, model, err));
    flint_rand_t rand;
    flint_randinit(rand);
    darc_progress at = {"sensitivities of several experiments", 0, 0, 0};
    darc_budget_progress(budget, &at);
    darc_status status =
        darc_information_init(info, s, NULL, rand, budget, err);
    if (status == DARC_OK) {
        out->dimension = info->rank;
        take_statuses(out, info, functions);
        darc_information_clear(info);
        bound = (functions || parametric) &&
                darc_information_init(info, s, model, rand, budget, NULL) ==
                    DARC_OK;
        if (bound) {
            out->lost = info->rank > out->dimension;
            take_statuses(out, info, false);
            darc_information_clear(info);
        }
        status = darc_budget_check(budget, err);
    }
    flint_randclear(rand);
    darc_solved_clear(s);
    if (status == DARC_OK && !bound)
        darc_identification_doubt(out, model);
    return status;
}

/* Whether the parameters of the model begin with those of out that are not
 * functions. */
static bool has_same_parameters(const darc_identification_t out,
                                const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    slong v = 0;
    bool same = true;
    for (int u = 0; u < names->count && same && v < out->own; u++)
        if (names->symbol[u].kind == DARC_PARAMETER) {
            same = strcmp(names->symbol[u].name, out->name[v]) == 0;
            v++;
        }
    return same && v == out->own;
}

/* The same without a solved form. */
static darc_status look_at_dae(darc_identification_t out,
                               const darc_model *model,
                               const darc_budget *budget, darc_err *err)
{
    darc_model *whole = NULL;
    darc_information_t info;
    bool all;
    DARC_NEED(darc_dae_model(&whole, model, err));
    darc_status status =
        has_same_parameters(out, whole)
            ? DARC_OK
            : darc_fail(err, DARC_DOMAIN, "parameters stand for functions");
    out->lost = false;
    out->implicit = true;
    DARC_THEN(darc_information_init_dae(info, &all, whole, 0, budget, err));
    if (status == DARC_OK) {
        out->dimension = info->rank;
        take_statuses(out, info, !all);
        darc_information_clear(info);
    }
    darc_model_free(whole);
    return status;
}

/* Without a solved form: by the rank of the coefficients, which are
 * polynomials. */
static void count_locally(darc_identification_t out, const darc_ratios_t ratio)
{
    slong n = ratio->count;
    darc_ratios_t f;
    darc_ratios_init(f, out->ctx);
    darc_ratios_append_all(f, ratio);
    for (slong v = 0; v < out->vars; v++) {
        bool new = darc_ratios_append_variable(f, v);
        out->parameter[v] = darc_ratios_rank(f, 3) <= out->dimension
                                ? DARC_LOCALLY
                            : out->lost ? DARC_PERHAPS
                                        : DARC_NOT_IDENTIFIABLE;
        if (new)
            darc_ratios_remove(f, n);
    }
    darc_ratios_clear(f);
}

static void take_numbers(darc_field_t f, const darc_identification_t id)
{
    for (slong v = 0; v < id->vars; v++)
        if (id->number[v])
            darc_ratios_append_variable(f->ratio, v);
}

/* Return the rank of the coefficients, with the numbers. */
static slong count_functions(darc_field_t f, const darc_identification_t id,
                             darc_blackbox_t g)
{
    const darc_coeffs_struct *c = g->c;
    take_numbers(f, id);
    slong numbers = f->ratio->count;
    if (numbers == 0)
        return darc_coeffs_dimension(c, g->rand);
    for (int i = 0; i < c->vectors; i++)
        for (slong j = c->first[i] + 1; j < c->first[i + 1]; j++)
            darc_ratios_append(f->ratio, c->b + j, c->b + c->first[i]);
    slong rank = darc_ratios_rank(f->ratio, 1);
    while (f->ratio->count > 0)
        darc_ratios_remove(f->ratio, f->ratio->count - 1);
    return rank;
}

/* Find the functions; solved: what look_locally found is there. */
static darc_status find_functions(darc_identification_t out, darc_blackbox_t g,
                                  bool solved, const darc_budget *budget,
                                  darc_err *err)
{
    darc_field_t f;
    if (!solved && !g->polynomials)
        return darc_fail(err, DARC_DOMAIN,
                         "the model has no values at random parameters");
    darc_field_open(f, out->ctx);
    if (!solved)
        out->shown = out->dimension = count_functions(f, out, g);
    f->rank = out->dimension;
    take_numbers(f, out);
    f->number = out->number;
    bool *local = darc_calloc((size_t)out->vars + 1, sizeof *local);
    for (slong v = 0; v < out->vars; v++)
        local[v] = out->parameter[v] == DARC_LOCALLY;
    darc_status status =
        darc_field_find(f, g, solved ? local : NULL, budget, err);
    darc_free(local);
    if (status != DARC_OK)
        return status;
    out->complete = f->complete && !out->lost;
    out->beyond = f->beyond;
    if (!solved)
        count_locally(out, f->ratio);
    fmpz_mpoly_t x, one;
    darc_ratios_struct raw = *f->ratio;
    raw.count = f->raw;
    darc_dpoly_inits(out->ctx, x, one, NULL);
    fmpz_mpoly_one(one, out->ctx);
    for (slong v = 0; v < out->vars; v++) { /* what is in the field is global */
        fmpz_mpoly_gen(x, v, out->ctx);
        out->settled[v] = f->moves != NULL && f->moves[v];
        if (!darc_field_contains(f, x, one))
            continue;
        out->parameter[v] = DARC_GLOBALLY;
        out->confirmed[v] = g->polynomials;
    }
    darc_confirm(out->confirmed, &raw);
    darc_dpoly_clears(out->ctx, x, one, NULL);
    if (f->raw > 0 && f->raw < f->ratio->count)
        darc_ratios_sort(f->ratio, 0);
    darc_ratios_swap(out->function, f->ratio);
    darc_field_clear(f);
    return DARC_OK;
}

/* What a scale moves that no signal shows cannot be told. */
static darc_status look_for_scales(darc_identification_t out,
                                   const darc_model *model, darc_err *err)
{
    darc_scaling s;
    bool open = false;
    for (slong v = 0; v < out->own; v++)
        open = open || out->parameter[v] == DARC_PERHAPS;
    if (!open)
        return DARC_OK;
    DARC_NEED(darc_scaling_init(&s, model, err));
    for (slong v = 0; v < out->own; v++) {
        int u = out->unknown[v];
        if (out->parameter[v] == DARC_PERHAPS &&
            (s.one[u] || s.stands[u] != NULL))
            out->parameter[v] = DARC_NOT_IDENTIFIABLE;
    }
    darc_scaling_clear(&s);
    return DARC_OK;
}

darc_status darc_identification_init_local(darc_identification_t out,
                                           const darc_model *model,
                                           const darc_budget *budget,
                                           darc_err *err)
{
    darc_err why = {DARC_OK, ""}, last = {DARC_OK, ""};
    identification_init(out, darc_model_names(model));
    darc_identification_set_own(out, model);
    darc_status status = look_locally(out, model, budget, &why);
    if (status == DARC_DOMAIN)
        status = look_at_dae(out, model, budget, &last);
    DARC_THEN(look_for_scales(out, model, &last));
    if (status != DARC_OK) {
        darc_fail(err, status, "%s",
                  status == why.status ? why.message : last.message);
        darc_identification_clear(out);
    }
    return status;
}

/* The same, *solved: it has one. */
static darc_status look_if_solved(bool *solved, darc_identification_t out,
                                  const darc_model *model,
                                  const darc_budget *budget, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_status status = look_locally(out, model, budget, &why);
    *solved = status == DARC_OK;
    return status == DARC_DOMAIN ? DARC_OK : darc_fail_as(err, status, &why);
}

darc_status darc_identification_init_response(darc_identification_t out,
                                              darc_coeffs_t c,
                                              const darc_model *model,
                                              const darc_budget *budget,
                                              darc_err *err)
{
    bool solved;
    darc_blackbox_t g;
    darc_blackbox_init_take(g, c, budget);
    identification_init(out, darc_model_names(model));
    darc_status status = look_if_solved(&solved, out, model, budget, err);
    DARC_THEN(find_functions(out, g, solved, budget, err));
    darc_blackbox_clear(g);
    if (status != DARC_OK)
        darc_identification_clear(out);
    return status;
}

darc_status darc_identification_init_field(darc_identification_t out,
                                           const darc_ioeqs_t io,
                                           const darc_model *model,
                                           const darc_budget *budget,
                                           darc_err *err)
{
    darc_status status;
    darc_blackbox_t g = {0};
    identification_init(out, io->jet->names);
    bool solved = false;
    bool shown = io->coupled || io->bound; /* by the coefficients alone */
    if (model != NULL && !(shown && darc_adjoined_are_exact(model) &&
                           !darc_adjoined_have_parametric(model)))
        DARC_TRY(look_if_solved(&solved, out, model, budget, err));
    if (model != NULL && !solved && !shown && darc_ioeqs_are_loose(io)) {
        DARC_FILL(out->parameter, out->vars, DARC_PERHAPS);
        out->lost = false;
        goto done;
    }
    DARC_TRY(darc_blackbox_init(g, io, model, budget, err));
    DARC_TRY(find_functions(out, g, solved, budget, err));
    if (model != NULL && !solved)
        darc_identification_doubt(out, model);
    if (model != NULL)
        DARC_TRY(darc_identification_bind(out, model, budget, err));
    for (slong v = 0; v < out->vars && model != NULL; v++)
        if (out->parameter[v] == DARC_LOCALLY &&
            darc_adjoined_have_branches(
                model)) /* of a root one branch counts */
            out->complete = out->settled[v] = false;
done:
    darc_blackbox_clear(g);
    if (status != DARC_OK)
        darc_identification_clear(out);
    return status;
}

void darc_identification_widen_take(darc_identification_t to,
                                    darc_identification_t more, bool all)
{
    assert(to->vars == more->vars);
    bool some_locally = false, ranked = to->shown > to->dimension || !to->lost;
    for (slong v = 0; v < to->vars; v++) {
        darc_identifiability a = to->parameter[v], b = more->parameter[v];
        if (b == DARC_GLOBALLY ||
            (a == DARC_PERHAPS && (all || b == DARC_LOCALLY)))
            to->parameter[v] = b;
        to->settled[v] = false;
        to->confirmed[v] = to->confirmed[v] || more->confirmed[v];
        some_locally = some_locally || to->parameter[v] == DARC_LOCALLY;
    }
    to->dimension = more->dimension;
    to->shown = ranked ? to->shown : more->dimension;
    to->lost = ranked ? to->shown > to->dimension : !all;
    to->complete = more->complete && !to->lost && (all || !some_locally);
    to->beyond = more->beyond;
    darc_ratios_swap(to->function, more->function);
    darc_identification_clear(more);
}

darc_status darc_identification_shorten(darc_identification_t id,
                                        const darc_budget *budget,
                                        darc_err *err)
{
    darc_ratios_t gen;
    darc_ratios_init(gen, id->ctx);
    double left = DARC_GENERATORS_WORK;
    darc_budget own = darc_budget_with(budget, &left);
    darc_err why = {DARC_OK, ""};
    darc_status status =
        darc_generators_find(gen, id->function, id->parameter, &own, &why);
    if (status == DARC_OK)
        darc_ratios_swap(id->function, gen);
    else if (darc_budget_is_short(&own))
        status = DARC_OK;
    else
        darc_fail_as(err, status, &why);
    darc_ratios_clear(gen);
    return status;
}

void darc_identification_clear(darc_identification_t f)
{
    darc_ratios_clear(f->function);
    DARC_FREE_EACH(f->name, f->vars);
    DARC_FREE(f->name, f->unknown, f->parameter, f->confirmed, f->settled,
              f->number, f->implied);
    fmpz_mpoly_ctx_clear(f->ctx);
    darc_free(f->ctx);
    *f = (darc_identification_struct){.vars = 0};
}

/* Append p, in parentheses where it must not stand bare beside a slash. */
static void print_part(darc_text_t out, const fmpz_mpoly_t p, bool alone,
                       bool divisor, const darc_identification_t f)
{
    const char **names = f->vars > 0 ? (const char **)f->name : NULL;
    char *s = fmpz_mpoly_get_str_pretty(p, names, f->ctx);
    bool bare =
        alone || (p->length == 1 && (!divisor || strchr(s, '*') == NULL));
    darc_text_printf(out, bare ? "%s" : "(%s)", s);
    flint_free(s);
}

void darc_identification_print(darc_text_t out, const darc_identification_t f,
                               slong k)
{
    assert(k >= 0 && k < f->function->count);
    const fmpz_mpoly_struct *den = f->function->den + k;
    bool alone = fmpz_mpoly_is_one(den, f->ctx);
    print_part(out, f->function->num + k, alone, false, f);
    if (alone)
        return;
    darc_text_putc(out, '/');
    print_part(out, den, false, true, f);
}
