/* Coefficients whose ratios a change of parameters leaves alone. */
#include "tests.h"

#include "coefficient/blackbox.h"
#include "coefficient/classes.h"
#include "eliminate/eliminate.h"
#include "fixture_io.h"
#include "models.h"

#include <stdlib.h>
#include <string.h>

static const char *const models[] = {model_compartments, model_prey,
                                     model_masses, model_lorenz, model_crn};

/* Set a to the coefficient of the monomial m, over `from`, in equation e of
 * io. */
static void coefficient_of(darc_dpoly_t a, const darc_dpoly_t m,
                           const darc_jet_t from, const darc_ioeqs_t io, int e)
{
    const darc_jet_struct *jet = io->jet;
    const darc_ioeq *eq = io->eq + e;
    darc_dpoly_t own, part;
    fmpz_t c;
    fmpz_init(c);
    darc_dpoly_init(own, jet);
    darc_dpoly_init(part, jet);
    ck_assert_int_eq(darc_dpoly_move(own, jet, m, from, NULL), DARC_OK);
    fmpz_mpoly_zero(a, jet->ctx);
    for (slong k = 0; k < eq->part->count; k++) {
        fmpz_mpoly_get_coeff_fmpz_monomial(c, eq->part->p + k, own, jet->ctx);
        fmpz_mpoly_scalar_mul_fmpz(part, eq->coeff->p + k, c, jet->ctx);
        fmpz_mpoly_add(a, a, part, jet->ctx);
    }
    ck_assert(!fmpz_mpoly_is_zero(a, jet->ctx));
    darc_dpoly_clear(own, jet);
    darc_dpoly_clear(part, jet);
    fmpz_clear(c);
}

/* Whether a/b does not depend on parameter u: a*b_u = b*a_u. */
static bool ratio_is_free_of(const darc_dpoly_t a, const darc_dpoly_t b, int u,
                             const darc_jet_t jet)
{
    slong v = darc_jet_var(jet, (darc_deriv){u, 0});
    if (v < 0)
        return true;
    darc_dpoly_t x, y;
    darc_dpoly_init(x, jet);
    darc_dpoly_init(y, jet);
    fmpz_mpoly_derivative(x, b, v, jet->ctx);
    fmpz_mpoly_mul(x, x, a, jet->ctx);
    fmpz_mpoly_derivative(y, a, v, jet->ctx);
    fmpz_mpoly_mul(y, y, b, jet->ctx);
    bool free = fmpz_mpoly_equal(x, y, jet->ctx);
    darc_dpoly_clear(x, jet);
    darc_dpoly_clear(y, jet);
    return free;
}

/* The classes of a change of parameter u, from the program `found` of the
 * monomials of `support`, are what the polynomials of io say. */
static void check_parameter(int u, const darc_ioeqs_t io,
                            const darc_ioeqs_t support, darc_classes_t found)
{
    const darc_jet_struct *jet = io->jet;
    const char *name = jet->names->symbol[u].name;
    bool *changed = calloc((size_t)jet->names->count, sizeof *changed);
    slong *least = calloc((size_t)found->entries, sizeof *least);
    changed[darc_names_find(support->jet->names, name, strlen(name))] = true;
    ck_assert_int_eq(darc_classes_find(least, found, changed, NULL), DARC_OK);
    darc_dpoly_t a, b;
    darc_dpoly_init(a, jet);
    darc_dpoly_init(b, jet);
    for (int e = 0; e < io->count; e++) {
        slong first = found->g->first[e], n = found->g->first[e + 1] - first;
        const fmpz_mpoly_struct *m = support->eq[e].part->p;
        for (slong j = 0; j < n; j++) {
            coefficient_of(a, m + j, support->jet, io, e);
            for (slong k = 0; k < j; k++) {
                coefficient_of(b, m + k, support->jet, io, e);
                ck_assert_msg(ratio_is_free_of(a, b, u, jet) ==
                                  (least[first + j] == least[first + k]),
                              "%s: %ld, %ld", name, j, k);
            }
            ck_assert_int_le(least[first + j], first + j);
        }
    }
    darc_dpoly_clear(a, jet);
    darc_dpoly_clear(b, jet);
    free(changed);
    free(least);
}

START_TEST(programs_say_what_polynomials_say)
{
    darc_model *model = model_of(models[_i]);
    darc_ioeqs_t io, support;
    darc_blackbox_t g;
    darc_classes_t c;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init_support(support, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, support, model, NULL, NULL),
                     DARC_OK);
    ck_assert(!g->polynomials);
    ck_assert_int_eq(darc_classes_init(c, g, NULL), DARC_OK);
    for (int u = 0; u < io->jet->names->count; u++)
        if (io->jet->names->symbol[u].kind == DARC_PARAMETER)
            check_parameter(u, io, support, c);
    darc_classes_clear(c);
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
    darc_ioeqs_clear(support);
    darc_model_free(model);
}
END_TEST

/* ---- joined monomials -----------------------------------------------------
 */

/* Set value[t] to what term t of `all` has in sum_k c_k part_k. */
static void expand(ulong *value, const darc_dpoly_t all, const darc_ioeq *eq,
                   const ulong *c, const darc_jet_t jet, nmod_t mod)
{
    darc_dpoly_t m;
    fmpz_t a;
    fmpz_init(a);
    darc_dpoly_init(m, jet);
    for (slong t = 0; t < all->length; t++) {
        fmpz_mpoly_get_term_monomial(m, all, t, jet->ctx);
        value[t] = 0;
        for (slong k = 0; k < eq->part->count; k++) {
            fmpz_mpoly_get_coeff_fmpz_monomial(a, eq->part->p + k, m, jet->ctx);
            value[t] = nmod_add(
                value[t], nmod_mul(fmpz_fdiv_ui(a, mod.n), c[k], mod), mod);
        }
    }
    darc_dpoly_clear(m, jet);
    fmpz_clear(a);
}

START_TEST(joined_monomials_have_the_same_values)
{
    darc_model *model = model_of(models[_i]);
    darc_ioeqs_t single, joined;
    darc_blackbox_t g, h;
    ck_assert_int_eq(darc_ioeqs_init_support(single, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init_support(joined, model, NULL, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_group_support(joined, model, 1e8, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(g, single, model, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_blackbox_init(h, joined, model, NULL, NULL), DARC_OK);
    nmod_t mod;
    nmod_init(&mod, darc_finite_prime(5));
    ulong x[8];
    size_t n = (size_t)g->first[single->count];
    ulong *c = calloc(n, sizeof *c), *d = calloc(n, sizeof *d);
    ulong *y = calloc(n, sizeof *y), *z = calloc(n, sizeof *z);
    darc_finite_random_point(x, g->vars, mod, g->rand);
    ck_assert_int_eq(darc_blackbox_at(c, g, x, mod, NULL), DARC_OK);
    ck_assert_int_eq(darc_blackbox_at(d, h, x, mod, NULL), DARC_OK);
    for (int e = 0; e < single->count; e++) {
        darc_dpoly_t all;
        const darc_ioeq *eq = single->eq + e;
        darc_dpoly_init(all, single->jet);
        for (slong k = 0; k < eq->part->count; k++)
            fmpz_mpoly_add(all, all, eq->part->p + k, single->jet->ctx);
        expand(y, all, eq, c + g->first[e], single->jet, mod);
        expand(z, all, joined->eq + e, d + h->first[e], joined->jet, mod);
        for (slong t = 0; t < all->length; t++)
            ck_assert_uint_eq(nmod_mul(y[t], z[0], mod),
                              nmod_mul(z[t], y[0], mod));
        ck_assert_uint_ne(z[0], 0);
        darc_dpoly_clear(all, single->jet);
    }
    free(c);
    free(d);
    free(y);
    free(z);
    darc_blackbox_clear(g);
    darc_blackbox_clear(h);
    darc_ioeqs_clear(single);
    darc_ioeqs_clear(joined);
    darc_model_free(model);
}
END_TEST

/* ---- hand-worked ----------------------------------------------------------
 */

static const char *const car[] = {"m*a_0 - c*z_0 - d*z_1"};

/* Set least to the classes of a change of the parameters in `letters`. */
static void classes_of(slong *least, darc_classes_t c, const char *letters)
{
    const darc_names_struct *names = c->g->io->jet->names;
    bool changed[8] = {false};
    for (int u = 0; u < names->count; u++)
        changed[u] = strchr(letters, names->symbol[u].name[0]) != NULL;
    ck_assert_int_eq(darc_classes_find(least, c, changed, NULL), DARC_OK);
}

START_TEST(classes_of_a_quarter_car)
{
    darc_ioeqs_t io;
    darc_blackbox_t g;
    darc_classes_t c;
    slong mass[3], spring[3], both[3], none[3];
    fixture_io(io, "m c d / a z", car, 1);
    ck_assert_int_eq(darc_blackbox_init(g, io, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_classes_init(c, g, NULL), DARC_OK);
    classes_of(mass, c, "m");
    classes_of(spring, c, "c");
    classes_of(both, c, "cd");
    classes_of(none, c, "");
    int alone = 0, pairs = 0;
    for (int j = 0; j < 3; j++) {
        alone += both[j] == j;
        pairs += mass[j] < j;
        ck_assert_int_eq(none[j], 0);
    }
    ck_assert_int_eq(alone, 3);
    ck_assert_int_eq(pairs, 1);
    ck_assert(darc_classes_is_one(none, c, 0));
    ck_assert(!darc_classes_is_one(mass, c, 0));
    ck_assert(darc_classes_refine(both, mass, c)); /* {c, d} explains {m} */
    ck_assert(!darc_classes_refine(mass, both, c));
    ck_assert(!darc_classes_refine(spring, mass, c));
    ck_assert(darc_classes_refine(spring, none, c));

    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    darc_classes_clear(c);
    g->budget = &spent;
    ck_assert_int_eq(darc_classes_init(c, g, NULL), DARC_LIMIT);
    darc_blackbox_clear(g);
    darc_ioeqs_clear(io);
}
END_TEST

Suite *suite_classes(void)
{
    Suite *s = suite_create("classes");
    TCase *c = tcase_create("classes");
    int n = (int)(sizeof models / sizeof *models);
    tcase_add_loop_test(c, programs_say_what_polynomials_say, 0, n);
    tcase_add_loop_test(c, joined_monomials_have_the_same_values, 0, n);
    tcase_add_test(c, classes_of_a_quarter_car);
    suite_add_tcase(s, c);
    return s;
}
