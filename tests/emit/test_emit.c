#include "tests.h"

#include "fixture_io.h"

#include "emit/emit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char car[] = "m*a_0 - c*z_0 - d*z_1";
static const char predprey[] =
    "y_0*y_2 - y_1^2 - d*y_0^2*y_1 + c*y_0*y_1 + a*d*y_0^3 - a*c*y_0^2";
static const darc_emit text_form = {
    DARC_FORMAT_TEXT, "car", "car.darc", false, false, NULL, NULL};

static void make(darc_relations_t r, darc_ioeqs_t io, const char *names,
                 const char *equation, darc_test test, darc_form form)
{
    bool changed[8] = {true};
    fixture_io(io, names, &equation, 1);
    ck_assert_int_eq(
        darc_relations_init(r, io,
                            &(darc_relation_task){
                                .test = test, .changed = changed, .form = form},
                            NULL),
        DARC_OK);
}

static char *relations_text(const char *names, const char *equation,
                            darc_test test, darc_form form, darc_emit how)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    darc_text_t t;
    darc_text_init(t);
    make(r, io, names, equation, test, form);
    darc_emit_relations(t, r, &how);
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
    return darc_text_take(t);
}

static void check_text(char *s, const char *expected)
{
    ck_assert_str_eq(s, expected);
    free(s);
}

START_TEST(text_reads_well)
{
    check_text(relations_text("m c d / a z", car, DARC_EQUAL,
                              DARC_FORM_EXPANDED, text_form),
               "# equal: order 2, 6 terms, degree 3\n"
               "zA''*aA*zB - zA''*aB*zA - aA'*zA'*zB + aA'*zB'*zA + "
               "zA'^2*aB - zA'*zB'*aA = 0\n"
               "aA*zB - aB*zA != 0\n");
    check_text(relations_text("m c d / a z", car, DARC_STRUCTURE,
                              DARC_FORM_MATRIX, text_form),
               "# structure: matrix of 3 columns, order 3\n"
               "# columns: m, c, d\n"
               "det\n"
               "    [ -a     z     z'   ]\n"
               "    [ -a'    z'    z''  ]\n"
               "    [ -a''   z''   z''' ]\n"
               "= 0\n");
}
END_TEST

START_TEST(summary_leaves_equations_out)
{
    darc_emit how = text_form;
    how.summary = true;
    check_text(relations_text("a c d / y", predprey, DARC_STRUCTURE,
                              DARC_FORM_EXPANDED, how),
               "# structure: order 5, 106 terms, degree 19\n");
}
END_TEST

START_TEST(latex_and_json)
{
    darc_emit how = text_form;
    how.format = DARC_FORMAT_LATEX;
    check_text(relations_text("m c d / a z", car, DARC_STRUCTURE,
                              DARC_FORM_MATRIX, how),
               "% structure: matrix of 3 columns, order 3\n"
               "% columns: m, c, d\n"
               "\\[ \\begin{vmatrix}\n"
               "-a & z & \\dot{z} \\\\\n"
               "-\\dot{a} & \\dot{z} & \\ddot{z} \\\\\n"
               "-\\ddot{a} & \\ddot{z} & \\dddot{z} \\\\\n"
               "\\end{vmatrix} = 0 \\]\n");
    how.format = DARC_FORMAT_JSON;
    char *s = relations_text("m c d / a z", car, DARC_STRUCTURE,
                             DARC_FORM_EXPANDED, how);
    ck_assert(strstr(s, "\"test\": \"structure\"") != NULL);
    ck_assert(strstr(s, "\"inequations\": [\"a'*z - z'*a\"]") != NULL);
    ck_assert(strstr(s, "\"terms\": 6") != NULL);
    free(s);
}
END_TEST

START_TEST(io_and_support)
{
    darc_ioeqs_t io;
    darc_text_t t;
    darc_text_init(t);
    const char *e = "p*(y_1 + y_0) + q*(y_0 + u_0)";
    fixture_io(io, "p q / y / u", &e, 1);
    darc_emit_ioeqs(t, io, &text_form);
    ck_assert_str_eq(t->s, "# y: order 1, 4 terms, degree 2, engine model, "
                           "0.000 s\np*y' + p*y + q*y + q*u = 0\n");
    darc_emit how = text_form;
    how.support = true;
    darc_text_reset(t);
    darc_emit_ioeqs(t, io, &how);
    ck_assert_str_eq(t->s, "# y: order 1, 4 terms, degree 2, engine model, "
                           "0.000 s\ny'\ny\nu\n");
    how.format = DARC_FORMAT_JSON;
    darc_text_reset(t);
    darc_emit_ioeqs(t, io, &how);
    ck_assert(strstr(t->s, "\"support\": [\"y'\", \"y\", \"u\"]") != NULL);
    darc_text_clear(t);
    darc_ioeqs_clear(io);
}
END_TEST

/* ---- generated code, at integers --------- */

static const long point[] = {2, 7, 3, 11, 5, 17, 13, 29, 19, 23};

/* Set x[v] to the value of variable v: the k-th lowest of those marked gets
 * point[k]. */
static void set_point(fmpz **x, const int *used, const darc_jet_t jet)
{
    for (slong v = jet->vars - 1, k = 0; v >= 0; v--) {
        x[v] = malloc(sizeof *x[v]);
        fmpz_init_set_si(x[v], used[v] ? point[k] : 0);
        k += used[v];
    }
}

static void mark(int *used, const darc_dpoly_t p, const darc_jet_t jet)
{
    int *one = calloc((size_t)jet->vars, sizeof *one);
    darc_dpoly_used(one, p, jet);
    for (slong v = 0; v < jet->vars; v++)
        used[v] = used[v] || one[v];
    free(one);
}

/* Set c[j] = (-1)^j det(matrix without column j), exactly. */
static void cofactor(fmpz_t c, slong j, const darc_relation *r, fmpz *const *x)
{
    slong n = r->columns;
    fmpz_mat_t m;
    fmpz_mat_init(m, n - 1, n - 1);
    for (slong i = 0; i + 1 < n; i++)
        for (slong k = 0; k + 1 < n; k++)
            ck_assert(fmpz_mpoly_evaluate_all_fmpz(
                fmpz_mat_entry(m, i, k),
                r->matrix->p + i * n + k + (k >= j ? 1 : 0), x, r->jet->ctx));
    fmpz_mat_det(c, m);
    if (j % 2 != 0)
        fmpz_neg(c, c);
    fmpz_mat_clear(m);
}

/* The residual of the relation at the point, by FLINT. */
static double exact(const darc_relation *r)
{
    int *used = calloc((size_t)r->jet->vars, sizeof *used);
    fmpz **x = calloc((size_t)r->jet->vars, sizeof *x), *c[8];
    fmpz_t sum, t;
    fmpz_init(sum);
    fmpz_init(t);
    if (r->expanded)
        mark(used, r->poly, r->jet);
    for (slong i = 0; !r->expanded && i < r->matrix->count; i++)
        mark(used, r->matrix->p + i, r->jet);
    for (slong i = 0; !r->expanded && i < r->last->count; i++)
        mark(used, r->last->p + i, r->jet);
    set_point(x, used, r->jet);
    for (slong j = 0; j < r->columns; j++) {
        c[j] = malloc(sizeof *c[j]);
        fmpz_init(c[j]);
        cofactor(c[j], j, r, x);
        if (r->last->count > 0 && !r->expanded) {
            ck_assert(fmpz_mpoly_evaluate_all_fmpz(t, r->last->p + j, x,
                                                   r->jet->ctx));
            fmpz_addmul(sum, t, c[j]);
        }
    }
    if (r->expanded)
        ck_assert(fmpz_mpoly_evaluate_all_fmpz(sum, r->poly, x, r->jet->ctx));
    else if (r->last->count == 0)
        ck_assert(fmpz_mpoly_evaluate_all_fmpz(sum, r->h, c, r->hctx));
    double value = fmpz_get_d(sum);
    for (slong j = 0; j < r->columns; j++) {
        fmpz_clear(c[j]);
        free(c[j]);
    }
    for (slong v = 0; v < r->jet->vars; v++) {
        fmpz_clear(x[v]);
        free(x[v]);
    }
    free(x);
    free(used);
    fmpz_clear(sum);
    fmpz_clear(t);
    return value;
}

static const char c_main[] =
    "\n#include <stdio.h>\n"
    "int main(void)\n{\n"
    "    const double x[] = {2, 7, 3, 11, 5, 17, 13, 29, 19, 23};\n"
    "    (void)darc_input_0;\n"
    "    printf(\"%.17g %.17g\\n\", darc_residual_0(x), darc_scale_0(x));\n"
    "    return 0;\n}\n";

static const char python_main[] =
    "\nx = np.array([[2.0], [7], [3], [11], [5], [17], [13], [29], [19], "
    "[23]])\n"
    "print('%.17g %.17g' % (darc_residual_0(x)[0], darc_scale_0(x)[0]))\n";

static void write_file(const char *name, const char *text, const char *tail)
{
    FILE *f = fopen(name, "w");
    ck_assert(f != NULL);
    fputs(text, f);
    fputs(tail, f);
    ck_assert_int_eq(fclose(f), 0);
}

static double run(const char *command, double *scale)
{
    FILE *p = popen(command, "r");
    ck_assert(p != NULL);
    double value;
    ck_assert_int_eq(fscanf(p, "%lf %lf", &value, scale), 2);
    ck_assert_int_eq(pclose(p), 0);
    return value;
}

static const struct {
    const char *names, *equation;
    darc_test test;
    darc_form form;
} programs[] = {
    {"m c d / a z", car, DARC_STRUCTURE, DARC_FORM_EXPANDED},
    {"m c d / a z", car, DARC_CHANGED, DARC_FORM_MATRIX},
    {"a c d / y", predprey, DARC_STRUCTURE, DARC_FORM_EXPANDED},
    {"a c d / y", predprey, DARC_STRUCTURE, DARC_FORM_MATRIX},
};

/* Determinants of n columns lose at most some n^2 units in the last place of
 * the product of the norms; 1e-11 leaves room for cancellation here. */
static void check_code(darc_format format, const char *tail, const char *file,
                       const char *command, int i)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    darc_text_t t;
    darc_emit how = text_form;
    how.format = format;
    darc_text_init(t);
    make(r, io, programs[i].names, programs[i].equation, programs[i].test,
         programs[i].form);
    darc_emit_relations(t, r, &how);
    write_file(file, t->s, tail);
    double scale, value = run(command, &scale), expected = exact(r->relation);
    ck_assert(expected != 0);
    ck_assert(fabs(value - expected) <= 1e-11 * fabs(expected));
    /* No residual is larger than its scale; here it is not all lost in it. */
    ck_assert(fabs(value) <= scale && scale <= 1000 * fabs(value));
    darc_text_clear(t);
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}

static void in_directory(void (*check)(const char *directory, int i), int i)
{
    char directory[] = "/tmp/darc-emit-XXXXXX", remove[64];
    ck_assert(mkdtemp(directory) != NULL);
    check(directory, i);
    snprintf(remove, sizeof remove, "rm -r %s", directory);
    ck_assert_int_eq(system(remove), 0);
}

static void check_c(const char *directory, int i)
{
    char file[64], command[256];
    snprintf(file, sizeof file, "%s/r.c", directory);
    snprintf(command, sizeof command,
             "cc -std=c11 -Wall -Wextra -Wmissing-prototypes -Werror -o %s/r "
             "%s -lm && %s/r",
             directory, file, directory);
    check_code(DARC_FORMAT_C, c_main, file, command, i);
}

/* Return a Python that has NumPy; NULL: there is none. */
static const char *numpy_python(void)
{
    static const char *const list[] = {"python3", "/usr/bin/python3"};
    char command[100];
    for (int i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null",
                 list[i]);
        if (system(command) == 0)
            return list[i];
    }
    return NULL;
}

static void check_python(const char *directory, int i)
{
    char file[64], command[256];
    snprintf(file, sizeof file, "%s/r.py", directory);
    snprintf(command, sizeof command, "%s %s", numpy_python(), file);
    check_code(DARC_FORMAT_PYTHON, python_main, file, command, i);
}

START_TEST(c_code_evaluates)
{
    in_directory(check_c, _i);
}
END_TEST

START_TEST(python_code_evaluates)
{
    if (numpy_python() == NULL) {
        fprintf(stderr, "emit: no NumPy, Python code not run\n");
        return;
    }
    in_directory(check_python, _i);
}
END_TEST

Suite *suite_emit(void)
{
    Suite *s = suite_create("emit");
    TCase *c = tcase_create("emit");
    int n = sizeof programs / sizeof programs[0];
    tcase_add_test(c, text_reads_well);
    tcase_add_test(c, summary_leaves_equations_out);
    tcase_add_test(c, latex_and_json);
    tcase_add_test(c, io_and_support);
    tcase_add_loop_test(c, c_code_evaluates, 0, n);
    tcase_add_loop_test(c, python_code_evaluates, 0, n);
    suite_add_tcase(s, c);
    return s;
}
