#include "tests.h"

#include "random_poly.h"
#include "ring.h"

#include "chain/chain.h"
#include "chain/components.h"

static const struct {
    const char *names, *eq, *ineq;
    bool found, whole;
} systems[] = {
    /* solved forms */
    {"x|a b|y|u", "x_1 - a*x + b*x^2 - u; y - x", "", true, true},
    {"x|k v|y", "(k + x)*x_1 + v*x; y - x", "k + x", true, true},
    {"|m c d|z f", "m*f - c*z - d*z_1", "m;c;d", true, true},
    /* a mass that may be zero: no matter, d is not */
    {"|m c d|z f", "m*f - c*z - d*z_1", "c;d", true, true},
    /* a denominator that may vanish: a smaller component besides */
    {"x y|a", "x*x_1 - a; y_1 - x", "", true, false},
    {"x y|a", "x*x_1 - a*x; y_1 - x", "", true, false},
    /* not linear in any leader */
    {"||y", "y_1^2 - 4*y", "", false, false},
    /* two components of the same size */
    {"x||y", "(x_1 - 1)*(x_1 + 1); y - x", "", false, false},
    /* no solution at all */
    {"x||y", "x; x - 1; y - x", "", false, false},
};

START_TEST(solved_forms_are_seen_to_be_prime)
{
    ring r;
    ring_init(&r, systems[_i].names, NULL, 3, systems[_i].eq, systems[_i].ineq);
    const darc_request q = {.eq = r.eq, .ineq = r.ineq, .jet = r.jet};
    darc_prime_t p;
    ck_assert(darc_prime_init(p, &q, NULL) == DARC_OK);
    ck_assert_int_eq(p->found, systems[_i].found);
    ck_assert_int_eq(p->found && p->whole, systems[_i].whole);
    if (p->found) {
        const darc_component *c = p->d->component;
        for (slong i = 0; i < c->equations->count; i++) {
            const darc_dpoly_struct *f = c->equations->p + i;
            slong v = darc_dpoly_leader(f, p->d->jet);
            ck_assert_int_eq(darc_dpoly_degree(f, v, p->d->jet), 1);
        }
    }
    darc_prime_clear(p);
    ring_clear(&r);
}
END_TEST

START_TEST(a_spent_budget_stops_it)
{
    ring r;
    ring_init(&r, systems[0].names, NULL, 3, systems[0].eq, "");
    darc_budget b;
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    const darc_request q = {
        .eq = r.eq, .ineq = r.ineq, .jet = r.jet, .budget = &b};
    darc_prime_t p;
    ck_assert(darc_prime_init(p, &q, NULL) == DARC_LIMIT);
    darc_prime_clear(p);
    ring_clear(&r);
}
END_TEST

/* A random solved form: x' = p, z' = q, y = r. */
static void random_form(ring *r, const char *ranking, darc_rng *rng)
{
    ring_init(r, "x z|a|y|u", ranking, 1, "", "");
    static const int leader[3][2] = {{0, 1}, {1, 1}, {3, 0}};
    darc_dpoly_t p, v;
    darc_dpoly_init(p, r->jet);
    darc_dpoly_init(v, r->jet);
    for (int i = 0; i < 3; i++) {
        random_poly(p, 2, 2, 0, rng, r->jet);
        /* y does not stand on the right */
        slong y = darc_jet_var(r->jet, (darc_deriv){3, 0});
        darc_dpoly_coeff(p, p, y, 0, r->jet);
        darc_dpoly_set_deriv(v, (darc_deriv){leader[i][0], leader[i][1]},
                             r->jet);
        fmpz_mpoly_sub(p, v, p, r->jet->ctx);
        darc_dpolys_append(r->eq, p, r->jet);
    }
    darc_dpoly_clear(p, r->jet);
    darc_dpoly_clear(v, r->jet);
}

/* Return whether the equations of a vanish on b. */
static bool vanish_on(const darc_decomposition_t a,
                      const darc_decomposition_t b)
{
    int bound[5];
    for (int u = 0; u < 5; u++)
        bound[u] = FLINT_MAX(a->jet->bound[u], b->jet->bound[u]);
    darc_jet_t jet;
    darc_jet_init(jet, a->jet->names, a->jet->ranking, bound);
    darc_component p = {.free = 0}, q = {.free = 0};
    ck_assert(darc_dpolys_move(p.equations, jet, a->component->equations,
                               a->jet, NULL) == DARC_OK);
    ck_assert(darc_dpolys_move(q.equations, jet, b->component->equations,
                               b->jet, NULL) == DARC_OK);
    bool all = true;
    for (slong i = 0; i < p.equations->count; i++)
        all = all &&
              darc_chain_member(p.equations->p + i, &q, jet, NULL) == DARC_TRUE;
    darc_dpolys_clear(p.equations, jet);
    darc_dpolys_clear(q.equations, jet);
    darc_jet_clear(jet);
    return all;
}

/* Two ways to the generic component: following a point, and splitting. */
START_TEST(following_and_splitting_agree)
{
    static const char *const rankings[] = {
        "x z >> y >> u >> a", "x z >> a >> y >> u", "z >> x >> u y >> a",
        "u >> y x z >> a", "a >> x >> z >> y >> u"};
    darc_rng rng = {(ulong)_i};
    int done = 0;
    for (int i = 0; i < 12; i++) {
        ring r;
        random_form(&r, rankings[i % 5], &rng);
        darc_budget b;
        darc_budget_init(&b);
        b.deadline = darc_now() + 0.05;
        const darc_request q = {.eq = r.eq,
                                .ineq = r.ineq,
                                .jet = r.jet,
                                .generic_only = true,
                                .budget = &b};
        darc_decomposition_t split, followed;
        if (darc_components_init(split, &q, NULL) == DARC_OK) {
            if (darc_elim(followed, &(darc_system){r.eq, r.ineq, r.jet}, false,
                          &b, NULL) == DARC_OK) {
                ck_assert_int_eq(followed->count, 1);
                ck_assert_int_eq(split->count, 1);
                ck_assert(vanish_on(split, followed));
                ck_assert(vanish_on(followed, split));
                done++;
                darc_decomposition_clear(followed);
            }
            darc_decomposition_clear(split);
        }
        ring_clear(&r);
    }
    ck_assert_int_ge(done, 4);
}
END_TEST

Suite *suite_prime(void)
{
    Suite *s = suite_create("prime");
    TCase *c = tcase_create("prime");
    tcase_add_loop_test(c, solved_forms_are_seen_to_be_prime, 0,
                        sizeof systems / sizeof *systems);
    tcase_add_loop_test(c, following_and_splitting_agree, 0, 4);
    tcase_add_test(c, a_spent_budget_stops_it);
    suite_add_tcase(s, c);
    return s;
}
