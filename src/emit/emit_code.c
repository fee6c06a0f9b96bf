#include "base/mem.h"
#include "darc.h"
#include "emit/parts.h"

#include <stdio.h>

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
    const char *determinant[2]; /* of darc_matrix, and the product of the norms
                                   of its rows: bodies, formats */
    const char *begin_closed;
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
    {"    double m[%ld];\n"
     "    darc_matrix_%d(x, m);\n"
     "    return determinant(m, %ld);\n",
     "    double m[%ld];\n"
     "    darc_matrix_%d(x, m);\n"
     "    return row_norms(m, %ld);\n"},
    "    double m[%ld], c[%ld];\n"
    "    darc_matrix_%d(x, m);\n"
    "    cofactors(m, c, %ld);\n"
    "    double r = 0;\n"};

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
    {"    return np.linalg.det(darc_matrix_%d(x))\n",
     "    return np.prod(np.linalg.norm(darc_matrix_%d(x), axis=-1), "
     "axis=-1)\n"},
    "    m = darc_matrix_%d(x)\n"
    "    c = [(-1) ** j * np.linalg.det(np.delete(m, j, axis=-1))\n"
    "         for j in range(%ld)]\n"
    "    r = 0.0 * c[0]\n"};

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

/* No determinant is larger than that [Hadamard]. */
static const char c_row_norms[] =
    "\nstatic double row_norms(const double *m, int n)\n"
    "{\n"
    "    double d = 1;\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        double s = 0;\n"
    "        for (int j = 0; j < n; j++)\n"
    "            s += m[i * n + j] * m[i * n + j];\n"
    "        d *= sqrt(s);\n"
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

/* The file in the making: where, in which language, which function of it, and
 * the variables that occur, as inputs x[0], x[1], ... */
typedef struct {
    darc_text_struct *out;
    const language *l;
    int number;
    const darc_jet_struct *jet;
    char **name; /* name[v]: "x[2]"; NULL: does not occur; owned */
} writer;

static writer begin_code(darc_text_t out, const darc_emit *how)
{
    const language *l =
        how->format == DARC_FORMAT_C ? &c_language : &python_language;
    darc_text_printf(out, "%sGenerated by darc %s from model '%s'.%s%s",
                     l->comment, DARC_VERSION, how->model, l->comment_end,
                     l->head);
    return (writer){.out = out, .l = l};
}

/* Name the variables that occur in n polynomials, lowest first, and append the
 * table that tells what x[0], x[1], ... are.  Clear them afterwards. */
static void begin_inputs(writer *w, const fmpz_mpoly_struct *p, slong n,
                         const darc_dpolys_struct *more)
{
    const darc_jet_struct *jet = w->jet;
    int count = 0;
    int *used = darc_calloc((size_t)jet->vars, sizeof *used);
    w->name = darc_calloc((size_t)jet->vars, sizeof *w->name);
    darc_text_printf(w->out, w->l->table[0], w->number);
    bool *any = darc_calloc((size_t)jet->vars, sizeof *any);
    for (slong i = 0; i < n + (more != NULL ? more->count : 0); i++) {
        darc_dpoly_used(used, i < n ? p + i : more->p + i - n, jet);
        for (slong v = 0; v < jet->vars; v++)
            any[v] = any[v] || used[v] != 0;
    }
    for (slong v = jet->vars - 1; v >= 0; v--) {
        char s[32];
        if (!any[v])
            continue;
        darc_text_printf(w->out, "%s\"", count > 0 ? w->l->table[1] : "");
        darc_deriv_print(w->out, jet->deriv[v], jet->names);
        darc_text_putc(w->out, '"');
        snprintf(s, sizeof s, "x[%d]", count++);
        w->name[v] = darc_strdup(s);
    }
    darc_text_puts(w->out, w->l->table[2]);
    DARC_FREE(any, used);
}

static void end_inputs(writer *w)
{
    for (slong v = 0; v < w->jet->vars; v++)
        darc_free(w->name[v]);
    darc_free(w->name);
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

/* Append statements that add p, in variables of these names, or the sum of the
 * absolute values of its terms, to r. */
static void print_sum(const writer *w, const fmpz_mpoly_t p, char **name,
                      const fmpz_mpoly_ctx_t ctx, bool absolute)
{
    darc_text_struct *out = w->out;
    size_t start = 0;
    for (slong i = 0; i < p->length; i++) {
        bool minus = !absolute && fmpz_sgn(p->coeffs + i) < 0;
        if (i > 0 && out->len - start < WIDTH) {
            darc_text_puts(out, minus ? " - " : " + ");
        } else {
            darc_text_puts(out, i > 0 ? w->l->stop : "");
            start = out->len;
            darc_text_puts(out, minus ? "    r = r - " : "    r = r + ");
        }
        if (absolute)
            darc_text_printf(out, "%s(", w->l->absolute);
        print_term(out, p, i, name, ctx);
        darc_text_puts(out, absolute ? ")" : "");
    }
    darc_text_puts(out, p->length > 0 ? w->l->stop : "");
}

/* Begin darc_residual_N, darc_scale_N: the number k of these. */
static void begin_function(const writer *w, int k)
{
    static const char *const what[] = {"residual", "scale"};
    darc_text_putc(w->out, '\n');
    darc_text_printf(w->out, w->l->function, what[k], w->number, what[k],
                     w->number);
}

static void print_poly(writer *w, const fmpz_mpoly_struct *p)
{
    begin_inputs(w, p, 1, NULL);
    for (int k = 0; k < 2; k++) {
        begin_function(w, k);
        darc_text_puts(w->out, w->l->zero);
        print_sum(w, p, w->name, w->jet->ctx, k == 1);
        darc_text_puts(w->out, w->l->returns);
        darc_text_puts(w->out, w->l->end);
    }
    end_inputs(w);
}

/* h of the cofactors, and the sum of the absolute values of its terms. */
static void print_closed(const writer *w, const darc_relation *r, int k)
{
    long n = (long)r->columns;
    if (w->l == &c_language)
        darc_text_printf(w->out, w->l->begin_closed, (n - 1) * n, n, w->number,
                         n);
    else
        darc_text_printf(w->out, w->l->begin_closed, w->number, n);
    char **name = darc_calloc((size_t)n, sizeof *name);
    for (long j = 0; j < n; j++) {
        char s[32];
        snprintf(s, sizeof s, "c[%ld]", j);
        name[j] = darc_strdup(s);
    }
    print_sum(w, r->h, name, r->hctx, k == 1);
    for (long j = 0; j < n; j++)
        darc_free(name[j]);
    darc_free(name);
    darc_text_puts(w->out, w->l->returns);
}

/* darc_matrix_N: `last`, where there is one, above the rows of the matrix. */
static void print_matrix_form(writer *w, const darc_relation *r)
{
    slong n = r->columns, at = 0;
    slong rows = r->last->count > 0 ? n : n - 1;
    begin_inputs(w, r->matrix->p, r->matrix->count, r->last);
    darc_text_putc(w->out, '\n');
    darc_text_printf(w->out, w->l->begin_matrix, w->number, w->number);
    for (; at < rows * n; at++) {
        slong i = at - r->last->count;
        darc_text_printf(w->out, "    r = %s%s",
                         w->l == &c_language ? "0" : "zero", w->l->stop);
        print_sum(w, i < 0 ? r->last->p + at : r->matrix->p + i, w->name,
                  w->jet->ctx, false);
        darc_text_printf(w->out, w->l->entry, (long)at);
    }
    darc_text_printf(w->out, w->l->end_matrix, (long)rows, (long)n);
    for (int k = 0; k < 2; k++) {
        begin_function(w, k);
        if (r->last->count == 0)
            print_closed(w, r, k);
        else if (w->l == &c_language) /* the determinant, and what bounds it */
            darc_text_printf(w->out, w->l->determinant[k], (long)(n * n),
                             w->number, (long)n);
        else
            darc_text_printf(w->out, w->l->determinant[k], w->number);
        darc_text_puts(w->out, w->l->end);
    }
    end_inputs(w);
}

void darc_code_polys(darc_text_t out, const darc_dpolys_t p,
                     const darc_jet_t jet, const darc_emit *how)
{
    writer w = begin_code(out, how);
    w.jet = jet;
    for (; w.number < (int)p->count; w.number++) {
        darc_text_putc(out, '\n');
        print_poly(&w, p->p + w.number);
    }
}

/* The C helpers that the relations need. */
static void print_helpers(darc_text_t out, const darc_relations_t r)
{
    bool determinant = false, bound = false, cofactors = false;
    slong n = 1;
    for (int i = 0; i < r->count; i++) {
        const darc_relation *x = r->relation + i;
        determinant = determinant || !x->expanded;
        bound = bound || (!x->expanded && x->last->count > 0);
        cofactors = cofactors || (!x->expanded && x->last->count == 0);
        n = x->columns > n ? x->columns : n;
    }
    if (determinant)
        darc_text_puts(out, c_determinant);
    if (bound)
        darc_text_puts(out, c_row_norms);
    if (cofactors)
        darc_text_printf(out, c_cofactors, (long)(n * n));
}

void darc_code_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    writer w = begin_code(out, how);
    if (w.l == &c_language)
        print_helpers(out, r);
    for (; w.number < r->count; w.number++) {
        const darc_relation *x = r->relation + w.number;
        darc_text_printf(out, "\n%s%s, order %d%s", w.l->comment,
                         darc_emit_test(x->test), x->order, w.l->comment_end);
        w.jet = x->jet;
        if (x->expanded)
            print_poly(&w, x->poly);
        else
            print_matrix_form(&w, x);
    }
}
