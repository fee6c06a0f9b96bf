/* Relations of coefficients that are known as programs. */
#include "tests.h"

#include "coefficient/coeffrel.h"
#include "coefficient/decisive.h"
#include "coefficient/gradient.h"
#include "coefficient/group_support.h"
#include "coefficient/vectors.h"
#include "eliminate/eliminate.h"
#include "fixture_io.h"
#include "models.h"
#include "projection/coeffs.h"

#include <stdlib.h>
#include <string.h>

static const char *const models[] = {model_quarter, model_compartments,
                                     model_prey};

/* Set changed[u] to whether parameter u of names is in `bits`. */
static void choose(bool *changed, unsigned bits, const darc_names_t names)
{
    for (int u = 0, i = 0; u < names->count; u++) {
        changed[u] = names->symbol[u].kind == DARC_PARAMETER && (bits >> i & 1);
        i += names->symbol[u].kind == DARC_PARAMETER;
    }
}

static void compare(const darc_coeffrel_t a, const darc_coeffrel_t b)
{
    ck_assert_int_eq(a->count, b->count);
    ck_assert_int_eq(a->dimension, b->dimension);
    ck_assert_int_eq(a->codimension, b->codimension);
    ck_assert_int_eq(a->complete, b->complete);
    ck_assert_int_eq(a->decisive, b->decisive);
    darc_text_t s, t;
    darc_text_init(s);
    darc_text_init(t);
    for (slong i = 0; i < a->count; i++) {
        darc_text_reset(s);
        darc_text_reset(t);
        darc_coeffrel_print(s, a, i);
        darc_coeffrel_print(t, b, i);
        ck_assert_str_eq(s->s, t->s);
        ck_assert_int_eq(a->mixed[i], b->mixed[i]);
    }
    darc_text_clear(s);
    darc_text_clear(t);
}

/* The same coefficients, as polynomials and as a program. */
START_TEST(programs_have_the_relations_of_polynomials)
{
    darc_ioeqs_t io;
    darc_blackbox_t g;
    darc_model *model = model_of(models[_i]);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, io, NULL, NULL, NULL), DARC_OK);
    bool changed[16];
    for (unsigned bits = 0; bits < 4; bits++) {
        darc_coeffrel_t a, b;
        choose(changed, bits, io->jet->names);
        ck_assert_int_eq(darc_coeffrel_init(a, io, 0, changed, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(
            darc_coeffrel_init_blackbox(b, g, 0, changed, 1e9, NULL), DARC_OK);
        compare(a, b);
        darc_coeffrel_clear(a);
        darc_coeffrel_clear(b);
    }
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* Equations that are not expanded: their monomials may come in another order,
 * but there are as many relations. */
START_TEST(relations_without_polynomials)
{
    darc_ioeqs_t io, support;
    darc_blackbox_t g;
    darc_model *model = model_of(models[1 + _i / 4]);
    unsigned bits = (unsigned)_i % 4;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init_support(support, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_group_support(support, model, 1e8, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(io->eq[0].part->count, support->eq[0].part->count);
    ck_assert_int_eq(darc_blackbox_init(g, support, model, NULL, NULL),
                     DARC_OK);
    ck_assert(!g->polynomials);
    bool changed[16];
    darc_coeffrel_t a, b;
    choose(changed, bits, io->jet->names);
    const bool *c = bits == 0 ? NULL : changed;
    ck_assert_int_eq(darc_coeffrel_init(a, io, 0, c, NULL, NULL), DARC_OK);
    choose(changed, bits, support->jet->names);
    ck_assert_int_eq(darc_coeffrel_init_blackbox(b, g, 0, c, 1e9, NULL),
                     DARC_OK);
    ck_assert_int_eq(a->dimension, b->dimension);
    ck_assert_int_eq(a->codimension, b->codimension);
    ck_assert_int_eq(a->count, b->count);
    ck_assert_int_eq(a->decisive, b->decisive);
    darc_coeffrel_clear(a);
    darc_coeffrel_clear(b);
    darc_blackbox_clear(g);
    darc_ioeqs_clear(support);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* Without work only the ratios that stay are found, and nobody claims that
 * they are all. */
START_TEST(little_work_finds_ratios)
{
    darc_ioeqs_t io;
    darc_blackbox_t g;
    darc_coeffrel_t r;
    darc_model *model = model_of(model_masses);
    ck_assert_int_eq(darc_ioeqs_init_support(io, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, io, model, NULL, NULL), DARC_OK);
    bool changed[16];
    choose(changed, 1, io->jet->names); /* m1 */
    ck_assert_int_eq(darc_coeffrel_init_blackbox(r, g, 0, changed, 1, NULL),
                     DARC_OK);
    ck_assert(!r->complete && !r->decisive);
    ck_assert_int_eq(r->codimension, -1);
    /* m1 is in the coefficients of y'', y''' and y'''': those of y'''' and f
     * alone scale with it, or not at all: y, y', f and f' keep their ratios. */
    ck_assert_int_eq(r->count, 3);
    for (slong i = 0; i < r->count; i++)
        ck_assert(r->mixed[i]);
    darc_coeffrel_clear(r);
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* The gradient from values is that of the polynomials, whatever factor the
 * values have. */
START_TEST(slopes_are_those_of_polynomials)
{
    static const char *const text[] = {
        "p^7*y_0 + (p^3 + 2*q)*y_1 + p*q*r*y_2 + (q - r)^5*z_0"};
    darc_ioeqs_t io;
    darc_blackbox_t g;
    darc_coeffs_t c;
    nmod_mat_t d;
    nmod_t mod;
    ulong x[3], value[4], all[4];
    fixture_io(io, "p q r / y z", text, 1);
    ck_assert_int_eq(darc_blackbox_init(g, io, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(g->vars, 3);
    darc_coeffs_init(c, io, 0, NULL);
    nmod_init(&mod, darc_finite_prime(7));
    nmod_mat_init(d, 3, 4, mod.n);
    darc_finite_random_point(x, 3, mod, g->rand);
    ck_assert_int_eq(darc_gradient_find(d, value, g, 0, x, NULL), DARC_OK);
    ck_assert_int_eq(darc_blackbox_at(all, g, x, mod, NULL), DARC_OK);
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, c->ctx);
    for (slong v = 0; v < 3; v++) {
        ulong slope[4], off = 0;
        for (slong j = 0; j < 4; j++) {
            fmpz_mpoly_derivative(p, c->b + j, v, c->ctx);
            slope[j] = darc_finite_eval(p, x, mod, c->ctx);
            /* slope_j - d_vj = off * value_j */
            ulong rest = nmod_sub(slope[j], nmod_mat_entry(d, v, j), mod);
            rest = nmod_div(rest, all[j], mod);
            off = j == 0 ? rest : off;
            ck_assert_uint_eq(rest, off);
            ck_assert_uint_eq(value[j], all[j]);
        }
    }
    fmpz_mpoly_clear(p, c->ctx);
    nmod_mat_clear(d);
    darc_coeffs_clear(c);
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
}
END_TEST

/* Relations that bind the recordings are decisive as long as none is taken
 * away; those of one recording alone are not asked for. */
START_TEST(relations_that_are_all_are_decisive)
{
    static const char *const car[] = {"m*a_0 - c*z_0 - d*z_1"};
    darc_ioeqs_t io;
    fixture_io(io, "m c d / a z", car, 1);
    for (unsigned bits = 0; bits < 8; bits++) {
        bool changed[8];
        darc_coeffs_t c;
        darc_vectors_t v;
        darc_coeffrel_t r;
        nmod_mat_t m;
        flint_rand_t state;
        flint_randinit(state);
        choose(changed, bits, io->jet->names);
        darc_coeffs_init(c, io, 0, changed);
        darc_vectors_init_polynomials(v, c);
        nmod_mat_init(m, v->vectors + v->vars, 6, darc_finite_prime(3));
        ck_assert_int_eq(darc_vectors_jacobian(m, v, state, NULL), DARC_OK);
        ck_assert_int_eq(darc_coeffrel_init(r, io, 0, changed, NULL, NULL),
                         DARC_OK);
        ck_assert(r->decisive);
        ck_assert(darc_coeffrel_is_decisive(r, m));
        slong count = r->count;
        ck_assert_int_eq(count, bits == 0 ? 2 : (bits & (bits - 1)) == 0);
        r->count -= count > 0;
        ck_assert(count == 0 || !darc_coeffrel_is_decisive(r, m));
        r->count = count;
        darc_coeffrel_clear(r);
        nmod_mat_clear(m);
        darc_vectors_clear(v);
        darc_coeffs_clear(c);
        flint_randclear(state);
    }
    darc_ioeqs_clear(io);
}
END_TEST

Suite *suite_vectors(void)
{
    Suite *s = suite_create("vectors");
    TCase *c = tcase_create("vectors");
    tcase_add_loop_test(c, programs_have_the_relations_of_polynomials, 0, 3);
    tcase_add_loop_test(c, relations_without_polynomials, 0, 8);
    tcase_add_test(c, little_work_finds_ratios);
    tcase_add_test(c, slopes_are_those_of_polynomials);
    tcase_add_test(c, relations_that_are_all_are_decisive);
    suite_add_tcase(s, c);
    return s;
}
