/* Fields of identifiable functions from coefficients known as programs. */
#include "tests.h"

#include "fixture_io.h"
#include "models.h"

#include "eliminate/eliminate.h"
#include "identify/field.h"
#include "identify/identify.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ----------------------------------------------------------- */

static const char *const models[] = {model_goodwin, model_crn};

/* The values that elimination with numbers gives are those of the expanded
 * equations, up to a factor for each. */
START_TEST(values_are_those_of_the_polynomials)
{
    darc_ioeqs_t io, support;
    darc_blackbox_t g, h;
    darc_model *model = model_of(models[_i]);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_PROJECT, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init_support(support, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, io, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(h, support, model, NULL, NULL),
                     DARC_OK);
    ck_assert(g->polynomials && !h->polynomials);
    nmod_t mod;
    nmod_init(&mod, darc_finite_prime(5));
    ulong x[8], *c = calloc((size_t)g->first[io->count], sizeof *c);
    ulong *d = calloc((size_t)h->first[io->count], sizeof *d);
    darc_finite_random_point(x, g->vars, mod, g->rand);
    ck_assert_int_eq(darc_blackbox_at(c, g, x, mod, NULL), DARC_OK);
    ck_assert_int_eq(darc_blackbox_at(d, h, x, mod, NULL), DARC_OK);
    for (int e = 0; e < io->count; e++) {
        darc_dpoly_t sum, m;
        const darc_ioeq *eq = io->eq + e, *s = support->eq + e;
        darc_dpoly_init(sum, io->jet);
        darc_dpoly_init(m, io->jet);
        for (slong k = 0; k < eq->part->count; k++) {
            fmpz_mpoly_scalar_mul_ui(m, eq->part->p + k, c[g->first[e] + k],
                                     io->jet->ctx);
            fmpz_mpoly_add(sum, sum, m, io->jet->ctx);
        }
        ck_assert_int_eq(sum->length, s->part->count);
        ulong ratio = 0;
        for (slong k = 0; k < s->part->count; k++) {
            ck_assert_int_eq(
                darc_dpoly_move(m, io->jet, s->part->p + k, support->jet, NULL),
                DARC_OK);
            fmpz_t a;
            fmpz_init(a);
            fmpz_mpoly_get_coeff_fmpz_monomial(a, sum, m, io->jet->ctx);
            ulong r = nmod_div(fmpz_fdiv_ui(a, mod.n), d[h->first[e] + k], mod);
            ck_assert(r != 0 && (k == 0 || r == ratio));
            ratio = r;
            fmpz_clear(a);
        }
        darc_dpoly_clear(sum, io->jet);
        darc_dpoly_clear(m, io->jet);
    }
    free(c);
    free(d);
    darc_blackbox_clear(g);
    darc_blackbox_clear(h);
    darc_ioeqs_clear(io);
    darc_ioeqs_clear(support);
    darc_model_free(model);
}
END_TEST

/* ---- fields ------------------------------------------------------------- */

static bool contains(const darc_field_t f, const char *num, const char *den,
                     const darc_identification_t names)
{
    fmpz_mpoly_t p, q;
    const char **x = (const char **)names->name;
    fmpz_mpoly_init(p, f->ctx);
    fmpz_mpoly_init(q, f->ctx);
    ck_assert_int_eq(fmpz_mpoly_set_str_pretty(p, num, x, f->ctx), 0);
    ck_assert_int_eq(fmpz_mpoly_set_str_pretty(q, den, x, f->ctx), 0);
    bool in = darc_field_contains(f, p, q);
    fmpz_mpoly_clear(p, f->ctx);
    fmpz_mpoly_clear(q, f->ctx);
    return in;
}

/* Goodwin's coefficients depend on beta and delta symmetrically. */
START_TEST(field_of_a_program)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_blackbox_t g;
    darc_field_t f;
    darc_model *model = model_of(model_goodwin);
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init_support(io, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, io, model, NULL, NULL), DARC_OK);
    darc_field_open(f, id->ctx);
    f->rank = id->dimension;
    ck_assert_int_eq(darc_field_find(f, g, NULL, NULL, NULL), DARC_OK);
    ck_assert(f->complete);
    ck_assert_int_eq(f->rank, 5);
    ck_assert_int_gt(f->evaluations, 0);
    ck_assert(contains(f, "b", "c", id));
    ck_assert(contains(f, "beta*delta", "sigma", id));
    ck_assert(contains(f, "beta^2+delta^2", "1", id));
    ck_assert(!contains(f, "beta", "1", id));
    ck_assert(!contains(f, "beta", "delta", id));
    ck_assert(!contains(f, "alpha", "1", id));
    darc_field_clear(f);
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

static const struct {
    const char *model, *fixed, *moving;
} pinned[] = {{model_goodwin, " b c sigma ", " beta delta "},
              {model_crn, " k1 k2 k3 k4 k5 k6 ", " "}};

/* Parameters are fixed one after the other, by values alone; others have other
 * values where all coefficients are the same. */
START_TEST(parameters_are_pinned)
{
    darc_ioeqs_t io;
    darc_identification_t id;
    darc_blackbox_t g;
    darc_model *model = model_of(pinned[_i].model);
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init_support(io, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, io, model, NULL, NULL), DARC_OK);
    bool in[8], moves[8] = {false};
    ck_assert_int_le(id->vars, 8);
    for (slong v = 0; v < id->vars; v++)
        in[v] = id->parameter[v] == DARC_LOCALLY;
    ck_assert_int_eq(darc_field_pin(in, moves, g, NULL, NULL), DARC_OK);
    for (slong v = 0; v < id->vars; v++) {
        char name[16];
        snprintf(name, sizeof name, " %s ", id->name[v]);
        ck_assert_msg(in[v] == (strstr(pinned[_i].fixed, name) != NULL), "%s",
                      name);
        ck_assert_msg(moves[v] == (strstr(pinned[_i].moving, name) != NULL),
                      "%s", name);
    }
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

static void set_ratio(darc_ratios_t f, const char *text, const char **names)
{
    fmpz_mpoly_t p, one;
    fmpz_mpoly_init(p, f->ctx);
    fmpz_mpoly_init(one, f->ctx);
    fmpz_mpoly_one(one, f->ctx);
    ck_assert_int_eq(fmpz_mpoly_set_str_pretty(p, text, names, f->ctx), 0);
    ck_assert(darc_ratios_append(f, p, one));
    fmpz_mpoly_clear(p, f->ctx);
    fmpz_mpoly_clear(one, f->ctx);
}

/* ---- proofs ------------------------------------------------------------- */

static const struct {
    const char *ratio[2];
    int expected; /* bit v: variable v is confirmed */
} proofs[] = {
    {{"p", "q"}, 3},   {{"p+q", "p*q"}, 0}, {{"p+q", "p^2-q^2"}, 3},
    {{"p*q", "q"}, 3}, {{"p^2", "p*q"}, 0}, {{"p^2+p", "p^3"}, 1},
    {{"p", NULL}, 1},
};

START_TEST(proofs_over_q)
{
    static const char *names[] = {"p", "q"};
    fmpz_mpoly_ctx_t ctx;
    darc_ratios_t f;
    fmpz_mpoly_ctx_init(ctx, 2, ORD_DEGREVLEX);
    darc_ratios_init(f, ctx);
    for (int k = 0; k < 2; k++)
        if (proofs[_i].ratio[k] != NULL)
            set_ratio(f, proofs[_i].ratio[k], names);
    bool proved[2] = {true, true};
    darc_confirm(proved, f);
    for (slong v = 0; v < 2; v++)
        ck_assert_int_eq(proved[v], (proofs[_i].expected >> v) & 1);
    darc_ratios_clear(f);
    fmpz_mpoly_ctx_clear(ctx);
}
END_TEST

/* ---- generators --------------------------------------------------------- */

static const struct {
    const char *num, *den;
    slong terms; /* of the one generator found */
} fractions[] = {
    {"p^2+p*q+q^2", "p^2+4*p*q+q^2", 3}, /* (p^2 + q^2)/(p*q) */
    {"2*p+3*q", "p-q", 2},               /* p/q */
    {"p^3+q", "5*p^3-2*q", 2},           /* p^3/q */
    {"p^2+q+1", "p*q+3", 5},
};

/* Of a field of ratios over one denominator another is found that makes them
 * shorter. */
START_TEST(exchanged_denominators)
{
    static const char *names[] = {"p", "q"};
    static const darc_identifiability none[2] = {DARC_NOT_IDENTIFIABLE,
                                                 DARC_NOT_IDENTIFIABLE};
    fmpz_mpoly_ctx_t ctx;
    darc_ratios_t f, gen;
    fmpz_mpoly_t num, den;
    fmpz_mpoly_ctx_init(ctx, 2, ORD_DEGREVLEX);
    darc_dpoly_inits(ctx, num, den, NULL);
    darc_ratios_init(f, ctx);
    darc_ratios_init(gen, ctx);
    ck_assert_int_eq(
        fmpz_mpoly_set_str_pretty(num, fractions[_i].num, names, ctx), 0);
    ck_assert_int_eq(
        fmpz_mpoly_set_str_pretty(den, fractions[_i].den, names, ctx), 0);
    ck_assert(darc_ratios_append(f, num, den));
    ck_assert_int_eq(darc_generators_find(gen, f, none, NULL, NULL), DARC_OK);
    ck_assert_int_eq(gen->count, 1);
    ck_assert_int_eq(gen->num->length + gen->den->length, fractions[_i].terms);
    darc_ratios_append_all(gen, f);
    ck_assert_int_eq(darc_ratios_rank(gen, 1), 1);
    darc_ratios_clear(gen);
    darc_ratios_clear(f);
    darc_dpoly_clears(ctx, num, den, NULL);
    fmpz_mpoly_ctx_clear(ctx);
}
END_TEST

/* ---- slices ------------------------------------------------------------- */

static const struct {
    const char *ratio;
    slong points; /* of the slice at p = 3, q = 5, q kept */
    bool all;
} slices[] = {
    {"p^2", 2, true},     {"p", 1, true},    {"p*q", 1, true},
    {"p^2+q*p", 2, true}, {"p^4", 2, false}, /* modulo 2^61 - 1, = 3 mod 4: -1
                                                is no square */
};

START_TEST(points_of_slices)
{
    static const char *names[] = {"p", "q"};
    const bool fixed[] = {false, true};
    fmpz_mpoly_ctx_t ctx;
    darc_ratios_t f;
    darc_fibre p;
    darc_slice_t s;
    flint_rand_t rand;
    flint_randinit(rand);
    fmpz_mpoly_ctx_init(ctx, 2, ORD_DEGREVLEX);
    darc_ratios_init(f, ctx);
    set_ratio(f, slices[_i].ratio, names);
    darc_fibre_init(&p, f, false, fixed, (UINT64_C(1) << 61) - 1, rand);
    p.x[0] = 3;
    p.x[1] = 5;
    p.at[1] = 5;
    ck_assert_int_eq(darc_fibre_find(&p, f, NULL), DARC_OK);
    ck_assert_int_eq(darc_slice_init(s, &p, NULL), DARC_OK);
    ck_assert_int_eq(s->count, slices[_i].points);
    ck_assert_int_eq(s->all, slices[_i].all);
    for (slong i = 0; i < s->count; i++)
        ck_assert(s->x[i * s->vars + 1] == 5);
    darc_slice_clear(s);
    darc_fibre_clear(&p);
    darc_ratios_clear(f);
    fmpz_mpoly_ctx_clear(ctx);
    flint_randclear(rand);
}
END_TEST

Suite *suite_field(void)
{
    Suite *s = suite_create("field");
    TCase *c = tcase_create("field");
    tcase_add_loop_test(c, values_are_those_of_the_polynomials, 0,
                        sizeof models / sizeof models[0]);
    tcase_add_test(c, field_of_a_program);
    tcase_add_loop_test(c, parameters_are_pinned, 0,
                        sizeof pinned / sizeof pinned[0]);
    tcase_add_loop_test(c, exchanged_denominators, 0,
                        sizeof fractions / sizeof fractions[0]);
    tcase_add_loop_test(c, proofs_over_q, 0, sizeof proofs / sizeof proofs[0]);
    tcase_add_loop_test(c, points_of_slices, 0,
                        sizeof slices / sizeof slices[0]);
    suite_add_tcase(s, c);
    return s;
}
