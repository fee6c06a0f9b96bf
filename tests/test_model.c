#include "tests.h"

#include "darc/model.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

/* Append every polynomial of the model, one a line. */
static void print_polys(darc_text_t out, const darc_model *m)
{
    const darc_names_struct *names = darc_model_names(m);
    darc_ranking_t rk;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    int order[600];
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, m);
    darc_model_orders(m, order);
    darc_jet_init(jet, names, rk, order);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert_int_eq(darc_model_equations(eq, ineq, m, jet, NULL), DARC_OK);
    for (slong i = 0; i < eq->count; i++) {
        darc_dpoly_print(out, eq->p + i, jet);
        darc_text_puts(out, " = 0\n");
    }
    for (slong i = 0; i < ineq->count; i++) {
        darc_dpoly_print(out, ineq->p + i, jet);
        darc_text_puts(out, " != 0\n");
    }
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
}

/* Printing and reading back is the identity, on text and on polynomials. */
static void check_round_trip(const darc_model *m)
{
    darc_text_t once, twice, p, q;
    darc_text_init(once);
    darc_text_init(twice);
    darc_text_init(p);
    darc_text_init(q);
    darc_err err;
    darc_err_init(&err);
    darc_model_print(once, m);
    darc_model *again = NULL;
    darc_status status =
        darc_model_parse(&again, once->s, once->len, darc_model_file(m), &err);
    ck_assert_msg(status == DARC_OK, "%s\n%s", err.message, once->s);
    darc_model_print(twice, again);
    ck_assert_str_eq(once->s, twice->s);
    print_polys(p, m);
    print_polys(q, again);
    ck_assert_str_eq(p->s, q->s);
    darc_model_free(again);
    darc_text_clear(once);
    darc_text_clear(twice);
    darc_text_clear(p);
    darc_text_clear(q);
}

static bool has_suffix(const char *s, const char *suffix)
{
    size_t m = strlen(s), n = strlen(suffix);
    return m >= n && strcmp(s + m - n, suffix) == 0;
}

START_TEST(benchmark_models_read_back)
{
    DIR *dir = opendir("../shared/models");
    if (dir == NULL) {
        fprintf(stderr, "model: ../shared/models is absent: skipped\n");
        return;
    }
    int count = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char file[512];
        if (!has_suffix(e->d_name, ".darc"))
            continue;
        snprintf(file, sizeof file, "../shared/models/%s", e->d_name);
        darc_model *m = NULL;
        darc_err err;
        darc_err_init(&err);
        ck_assert_msg(darc_model_read(&m, file, &err) == DARC_OK, "%s",
                      err.message);
        check_round_trip(m);
        darc_model_free(m);
        count++;
    }
    closedir(dir);
    ck_assert_int_gt(count, 0);
}
END_TEST

Suite *suite_model(void)
{
    Suite *s = suite_create("model");
    TCase *c = tcase_create("model");
    tcase_add_test(c, benchmark_models_read_back);
    suite_add_tcase(s, c);
    return s;
}
