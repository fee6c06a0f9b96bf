#include "emit/emit_code.h"

#include "base/mem.h"
#include "darc.h"
#include "emit/parts.h"

#include <stdio.h>
#include <string.h>

/* Columns at which a statement is broken. */
#define WIDTH 70

/* What differs between the two languages. */
typedef struct {
    const char *comment, *comment_end;
    const char *head;     /* of the file */
    const char *table[3]; /* the inputs: begin, separator, end */
    const char *function; /* format: name, number */
    const char *end;      /* of a function */
    const char *zero;     /* r = 0 */
    const char *returns;  /* return r */
    const char *stop;     /* of a statement */
    const char *absolute; /* function */
    const char *begin_matrix;
    const char *entry; /* format: entry number; stores r */
    const char *end_matrix;
    const char *determinant; /* function after darc_matrix: format */
    const char *begin_closed, *end_closed;
} language;

static const language c_language = {
    "/* ",
    " */\n",
    "#include <math.h>\n",
    {"const char *const darc_input_%d[] = {", ", ", "};\n"},
    "double darc_%s_%d(const double *x);\n"
    "double darc_%s_%d(const double *x)\n{\n",
    "}\n",
    "    double r = 0;\n",
    "    return r;\n",
    ";\n",
    "fabs",
    "void darc_matrix_%d(const double *x, double *m);\n"
    "void darc_matrix_%d(const double *x, double *m)\n{\n    double r;\n",
    "    m[%ld] = r;\n",
    "}\n",
    "double darc_residual_%d(const double *x);\n"
    "double darc_residual_%d(const double *x)\n{\n"
    "    double m[%ld];\n"
    "    darc_matrix_%d(x, m);\n"
    "    return determinant(m, %ld);\n}\n",
    "double darc_residual_%d(const double *x);\n"
    "double darc_residual_%d(const double *x)\n{\n"
    "    double m[%ld], c[%ld];\n"
    "    darc_matrix_%d(x, m);\n"
    "    cofactors(m, c, %ld);\n"
    "    double r = 0;\n",
    "    return r;\n}\n"};

static const language python_language = {
    "# ",
    "\n",
    "import numpy as np\n",
    {"darc_input_%d = [", ", ", "]\n"},
    "\n\ndef darc_%s_%d(x):\n",
    "",
    "    r = 0.0 * np.asarray(x[0], dtype=float)\n",
    "    return r\n",
    "\n",
    "np.abs",
    "\n\ndef darc_matrix_%d(x):\n"
    "    m = []\n    zero = 0.0 * np.asarray(x[0], dtype=float)\n",
    "    m.append(r)  # %ld\n",
    "    m = np.stack(m, axis=-1)\n"
    "    return m.reshape(m.shape[:-1] + (%ld, %ld))\n",
    "\n\ndef darc_residual_%d(x):\n"
    "    return np.linalg.det(darc_matrix_%d(x))\n",
    "\n\ndef darc_residual_%d(x):\n"
    "    m = darc_matrix_%d(x)\n"
    "    c = [(-1) ** j * np.linalg.det(np.delete(m, j, axis=-1))\n"
    "         for j in range(%ld)]\n"
    "    r = 0.0 * c[0]\n",
    "    return r\n"};

/* Gaussian elimination with column pivots; cofactors by determinants. */
static const char c_determinant[] =
    "\nstatic double determinant(double *m, int n)\n"
    "{\n"
    "    double d = 1;\n"
    "    for (int k = 0; k < n; k++) {\n"
    "        int p = k;\n"
    "        for (int i = k + 1; i < n; i++)\n"
    "            if (fabs(m[i * n + k]) > fabs(m[p * n + k]))\n"
    "                p = i;\n"
    "        if (m[p * n + k] == 0)\n"
    "            return 0;\n"
    "        for (int j = 0; p != k && j < n; j++) {\n"
    "            double t = m[k * n + j];\n"
    "            m[k * n + j] = m[p * n + j];\n"
    "            m[p * n + j] = t;\n"
    "        }\n"
    "        d *= p != k ? -m[k * n + k] : m[k * n + k];\n"
    "        for (int i = k + 1; i < n; i++) {\n"
    "            double f = m[i * n + k] / m[k * n + k];\n"
    "            for (int j = k; j < n; j++)\n"
    "                m[i * n + j] -= f * m[k * n + j];\n"
    "        }\n"
    "    }\n"
    "    return d;\n"
    "}\n";

static const char c_cofactors[] =
    "\n/* c[j] = (-1)^j det of m, n - 1 rows and n columns, without column j "
    "*/\n"
    "static void cofactors(const double *m, double *c, int n)\n"
    "{\n"
    "    for (int j = 0; j < n; j++) {\n"
    "        double d[%ld];\n"
    "        for (int i = 0; i + 1 < n; i++)\n"
    "            for (int k = 0, l = 0; k < n; k++)\n"
    "                if (k != j)\n"
    "                    d[i * (n - 1) + l++] = m[i * n + k];\n"
    "        c[j] = determinant(d, n - 1);\n"
    "        c[j] = j %% 2 != 0 ? -c[j] : c[j];\n"
    "    }\n"
    "}\n";

static const language *language_of(const darc_emit *how)
{
    return how->format == DARC_FORMAT_C ? &c_language : &python_language;
}

/* The variables that occur, as inputs x[0], x[1], ... */
typedef struct {
    slong vars;
    char **name; /* name[v]: "x[2]"; NULL: does not occur; owned */
} inputs;

static void use_all(int *used, const darc_dpolys_t p, const darc_jet_t jet)
{
    int *one = darc_calloc((size_t)jet->vars, sizeof *one);
    for (slong i = 0; i < p->count; i++) {
        darc_dpoly_used(one, p->p + i, jet);
        for (slong v = 0; v < jet->vars; v++)
            used[v] = used[v] || one[v];
    }
    darc_free(one);
}

static void inputs_init(inputs *in, const int *used, const darc_jet_t jet)
{
    in->vars = jet->vars;
    in->name = darc_calloc((size_t)jet->vars, sizeof *in->name);
    int n = 0;
    for (slong v = jet->vars - 1; v >= 0; v--) { /* lowest first */
        char s[32];
        if (!used[v])
            continue;
        snprintf(s, sizeof s, "x[%d]", n++);
        in->name[v] = darc_strdup(s);
    }
}

static void inputs_clear(inputs *in)
{
    for (slong v = 0; v < in->vars; v++)
        darc_free(in->name[v]);
    darc_free(in->name);
}

/* The table that tells what x[0], x[1], ... are. */
static void print_inputs(darc_text_t out, const inputs *in,
                         const darc_jet_t jet, int number, const language *l)
{
    darc_text_printf(out, l->table[0], number);
    bool first = true;
    for (slong v = jet->vars - 1; v >= 0; v--) {
        if (in->name[v] == NULL)
            continue;
        darc_text_puts(out, first ? "\"" : l->table[1]);
        darc_text_puts(out, first ? "" : "\"");
        darc_deriv_print(out, jet->deriv[v], jet->names);
        darc_text_putc(out, '"');
        first = false;
    }
    darc_text_puts(out, l->table[2]);
}

/* Append term i without its sign: 3.0*x[0]*x[0]*x[2]. */
static void print_term(darc_text_t out, const fmpz_mpoly_t p, slong i,
                       char **name, const fmpz_mpoly_ctx_t ctx)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx);
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    fmpz_mpoly_get_term_exp_ui(e, p, i, ctx);
    fmpz_t c;
    fmpz_init(c);
    fmpz_abs(c, p->coeffs + i);
    bool first = true, one = fmpz_is_one(c);
    if (!one || fmpz_mpoly_is_fmpz(p, ctx)) {
        char *s = fmpz_get_str(NULL, 10, c);
        darc_text_printf(out, "%s.0", s);
        flint_free(s);
        first = false;
    }
    for (slong v = 0; v < vars; v++)
        for (ulong k = 0; k < e[v]; k++) {
            darc_text_printf(out, "%s%s", first ? "" : "*", name[v]);
            first = false;
        }
    if (first)
        darc_text_puts(out, "1.0");
    fmpz_clear(c);
    darc_free(e);
}

/* Append statements that add p, or the sum of the absolute values of its
 * terms, to r. */
static void print_sum(darc_text_t out, const fmpz_mpoly_t p, char **name,
                      const fmpz_mpoly_ctx_t ctx, bool absolute,
                      const language *l)
{
    size_t begin = 0;
    for (slong i = 0; i < p->length; i++) {
        bool minus = !absolute && fmpz_sgn(p->coeffs + i) < 0;
        if (i > 0 && out->len - begin < WIDTH) {
            darc_text_puts(out, minus ? " - " : " + ");
        } else {
            darc_text_puts(out, i > 0 ? l->stop : "");
            begin = out->len;
            darc_text_puts(out, minus ? "    r = r - " : "    r = r + ");
        }
        if (absolute)
            darc_text_printf(out, "%s(", l->absolute);
        print_term(out, p, i, name, ctx);
        darc_text_puts(out, absolute ? ")" : "");
    }
    darc_text_puts(out, p->length > 0 ? l->stop : "");
}

static void print_function(darc_text_t out, const char *what, int number,
                           const darc_dpoly_t p, const inputs *in,
                           const darc_jet_t jet, const language *l)
{
    darc_text_putc(out, '\n');
    darc_text_printf(out, l->function, what, number, what, number);
    darc_text_puts(out, l->zero);
    print_sum(out, p, in->name, jet->ctx, strcmp(what, "scale") == 0, l);
    darc_text_puts(out, l->returns);
    darc_text_puts(out, l->end);
}

static void print_poly(darc_text_t out, int number, const darc_dpoly_t p,
                       const darc_jet_t jet, const language *l)
{
    inputs in;
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    darc_dpoly_used(used, p, jet);
    inputs_init(&in, used, jet);
    print_inputs(out, &in, jet, number, l);
    print_function(out, "residual", number, p, &in, jet, l);
    print_function(out, "scale", number, p, &in, jet, l);
    inputs_clear(&in);
    darc_free(used);
}

static void print_entries(darc_text_t out, const darc_dpolys_t p, slong *at,
                          const inputs *in, const darc_jet_t jet,
                          const language *l)
{
    for (slong i = 0; i < p->count; i++) {
        darc_text_printf(out, "    r = %s%s", l == &c_language ? "0" : "zero",
                         l->stop);
        print_sum(out, p->p + i, in->name, jet->ctx, false, l);
        darc_text_printf(out, l->entry, (long)(*at)++);
    }
}

/* darc_matrix_N: `last`, where there is one, above the rows of the matrix. */
static void print_matrix(darc_text_t out, int number, const darc_relation *r,
                         const inputs *in, const language *l)
{
    slong n = r->columns, at = 0;
    slong rows = r->last->count > 0 ? n : n - 1;
    darc_text_putc(out, '\n');
    darc_text_printf(out, l->begin_matrix, number, number);
    print_entries(out, r->last, &at, in, r->jet, l);
    print_entries(out, r->matrix, &at, in, r->jet, l);
    darc_text_printf(out, l->end_matrix, (long)rows, (long)n);
}

/* darc_residual_N: the determinant, or h of the cofactors. */
static void print_closing(darc_text_t out, int number, const darc_relation *r,
                          const language *l)
{
    long n = (long)r->columns;
    bool c = l == &c_language;
    darc_text_putc(out, '\n');
    if (r->last->count > 0) {
        if (c)
            darc_text_printf(out, l->determinant, number, number, n * n, number,
                             n);
        else
            darc_text_printf(out, l->determinant, number, number);
        return;
    }
    if (c)
        darc_text_printf(out, l->begin_closed, number, number, (n - 1) * n, n,
                         number, n);
    else
        darc_text_printf(out, l->begin_closed, number, number, n);
    char **name = darc_calloc((size_t)n, sizeof *name);
    for (long j = 0; j < n; j++) {
        char s[32];
        snprintf(s, sizeof s, "c[%ld]", j);
        name[j] = darc_strdup(s);
    }
    print_sum(out, r->h, name, r->hctx, false, l);
    for (long j = 0; j < n; j++)
        darc_free(name[j]);
    darc_free(name);
    darc_text_puts(out, l->end_closed);
}

static void print_matrix_form(darc_text_t out, int number,
                              const darc_relation *r, const language *l)
{
    inputs in;
    int *used = darc_calloc((size_t)r->jet->vars, sizeof *used);
    use_all(used, r->matrix, r->jet);
    use_all(used, r->last, r->jet);
    inputs_init(&in, used, r->jet);
    print_inputs(out, &in, r->jet, number, l);
    print_matrix(out, number, r, &in, l);
    print_closing(out, number, r, l);
    inputs_clear(&in);
    darc_free(used);
}

static void heading(darc_text_t out, const darc_emit *how, const language *l)
{
    darc_text_printf(out, "%sGenerated by darc %s from model '%s'.%s",
                     l->comment, DARC_VERSION, how->model, l->comment_end);
    darc_text_puts(out, l->head);
}

void darc_code_polys(darc_text_t out, const darc_dpolys_t p,
                     const darc_jet_t jet, const darc_emit *how)
{
    const language *l = language_of(how);
    heading(out, how, l);
    for (slong i = 0; i < p->count; i++) {
        darc_text_putc(out, '\n');
        print_poly(out, (int)i, p->p + i, jet, l);
    }
}

/* The C helpers that the relations need. */
static void print_helpers(darc_text_t out, const darc_relations_t r)
{
    bool determinant = false, cofactors = false;
    slong n = 1;
    for (int i = 0; i < r->count; i++) {
        const darc_relation *x = r->relation + i;
        determinant = determinant || !x->expanded;
        cofactors = cofactors || (!x->expanded && x->last->count == 0);
        n = x->columns > n ? x->columns : n;
    }
    if (determinant)
        darc_text_puts(out, c_determinant);
    if (cofactors)
        darc_text_printf(out, c_cofactors, (long)(n * n));
}

void darc_code_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    const language *l = language_of(how);
    heading(out, how, l);
    if (l == &c_language)
        print_helpers(out, r);
    for (int i = 0; i < r->count; i++) {
        const darc_relation *x = r->relation + i;
        darc_text_printf(out, "\n%s%s, order %d%s", l->comment,
                         darc_emit_test(x->test), x->order, l->comment_end);
        if (x->expanded)
            print_poly(out, i, x->poly, x->jet, l);
        else
            print_matrix_form(out, i, x, l);
    }
}
