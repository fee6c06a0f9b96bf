/* Relations of coefficients that are known as programs. */
#include "tests.h"

#include "coefficient/blackbox.h"
#include "coefficient/coeffrel.h"
#include "coefficient/interpolate.h"
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

/* Equations that are not expanded: their relations hold, ratios that stay are
 * among them, and nobody claims that they are all. */
START_TEST(relations_without_polynomials)
{
    darc_ioeqs_t io;
    darc_blackbox_t g;
    darc_coeffrel_t r;
    darc_vectors_t v;
    flint_rand_t state;
    nmod_t mod;
    ulong value[64];
    bool changed[16];
    darc_model *model = model_of(models[1 + _i / 4]);
    unsigned bits = (unsigned)_i % 4;
    ck_assert_int_eq(darc_ioeqs_init_support(io, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_group_support(io, model, 1e8, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, io, model, NULL, NULL), DARC_OK);
    ck_assert(!g->polynomials);
    choose(changed, bits, io->jet->names);
    const bool *c = bits == 0 ? NULL : changed;
    ck_assert_int_eq(darc_coeffrel_init_blackbox(r, g, 0, c, 1e7, NULL),
                     DARC_OK);
    ck_assert(!r->complete && !r->decisive);
    ck_assert_int_eq(r->codimension, -1);
    flint_randinit(state);
    nmod_init(&mod, darc_finite_prime(11));
    darc_vectors_init_blackbox(v, g, 0, c);
    ck_assert_int_le(r->vars, 64);
    ck_assert_int_eq(darc_vectors_sample(value, v, mod, state, NULL), DARC_OK);
    for (slong i = 0; i < r->count; i++)
        ck_assert_uint_eq(darc_finite_eval(r->h + i, value, mod, r->ctx), 0);
    flint_randclear(state);
    darc_vectors_clear(v);
    darc_coeffrel_clear(r);
    darc_blackbox_clear(g);
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
        darc_coeffrel_t r;
        nmod_mat_t m;
        flint_rand_t state;
        flint_randinit(state);
        choose(changed, bits, io->jet->names);
        darc_coeffs_init(c, io, 0, changed);
        nmod_mat_init(m, c->vectors + c->vars, 6, darc_finite_prime(3));
        darc_coeffs_jacobian(m, c, state);
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
    tcase_add_loop_test(c, relations_without_polynomials, 0, 8);
    tcase_add_test(c, little_work_finds_ratios);
    tcase_add_test(c, relations_that_are_all_are_decisive);
    suite_add_tcase(s, c);
    return s;
}
