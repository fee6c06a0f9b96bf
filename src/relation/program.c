#include "relation/program.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "stats/real.h"

#include <math.h>
#include <string.h>

/* Operations of a stack of columns; x is an input, k a number. */
typedef enum {
    FILL,     /* push k */
    LOAD,     /* push k x */
    MUL,      /* top x */
    ADD,      /* the upper one to the one below, popped; so below */
    ADD_FILL, /* k to the top */
    ADD_LOAD, /* k x to the top */
    ADD_MUL   /* the upper one times x to the one below */
} operation;

typedef struct darc_code {
    operation op;
    int x; /* behind the inputs their absolute values, for magnitudes */
    double k;
} code;

/* The terms of a polynomial; a step divides the rows of its terms by the factor
 * it takes out. */
typedef struct {
    darc_program *p;
    int vars;
    const int *input; /* of each variable */
    bool magnitude;
    ulong *exp; /* row of each term; owned */
    const fmpz *coeff;
    int *seen; /* of each variable: terms that contain it; owned */
    int depth; /* columns on the stack */
} form;

static void append_operation(form *f, operation op, int x, double k)
{
    darc_program *p = f->p;
    if (x >= 0 && f->magnitude)
        x += p->inputs;
    DARC_APPEND(p->code, p->count, (code){op, x, k});
    f->depth += op == FILL || op == LOAD;
    p->depth = f->depth > p->depth ? f->depth : p->depth;
}

/* Add the top to what is below; the last operation made the top. */
static void add_top(form *f)
{
    code *last = f->p->code + f->p->count - 1;
    f->depth--;
    if (last->op == FILL)
        last->op = ADD_FILL;
    else if (last->op == LOAD)
        last->op = ADD_LOAD;
    else if (last->op == MUL)
        last->op = ADD_MUL;
    else
        append_operation(f, ADD, -1, 0);
}

/* Multiply the top by v^e; return the roundings. */
static int multiply_top(form *f, int v, ulong e)
{
    for (ulong i = 0; i < e; i++)
        append_operation(f, MUL, f->input[v], 0);
    return (int)e;
}

/* Push a term; return how often it is rounded. */
static int monomial(form *f, int term)
{
    ulong *e = f->exp + (size_t)term * (size_t)f->vars;
    const fmpz *c = f->coeff + term;
    double k = darc_real_integer(c);
    k = f->magnitude ? fabs(k) : k;
    int v = 0, roundings = fmpz_bits(c) > 53;
    while (v < f->vars && e[v] == 0)
        v++;
    if (v == f->vars) {
        append_operation(f, FILL, -1, k);
        return roundings;
    }
    append_operation(f, LOAD, f->input[v], k);
    roundings += !fmpz_is_pm1(c);
    for (ulong less = 1; v < f->vars; v++, less = 0)
        roundings += multiply_top(f, v, e[v] - less);
    return roundings;
}

/* Return the variable that most of the terms contain, -1 if none is in two. */
static int commonest(form *f, const int *term, int n)
{
    memset(f->seen, 0, (size_t)f->vars * sizeof *f->seen);
    for (int i = 0; i < n; i++) {
        const ulong *e = f->exp + (size_t)term[i] * (size_t)f->vars;
        for (int v = 0; v < f->vars; v++)
            f->seen[v] += e[v] != 0;
    }
    int best = -1;
    for (int v = 0; v < f->vars; v++)
        if (f->seen[v] >= 2 && (best < 0 || f->seen[v] > f->seen[best]))
            best = v;
    return best;
}

/* Move the terms with variable v to the front and divide them by v^e, e as
 * large as possible; return their number. */
static int take_out(form *f, int *term, int n, int v, ulong *e)
{
    int m = 0;
    *e = 0;
    for (int i = 0; i < n; i++) {
        ulong ei = f->exp[(size_t)term[i] * (size_t)f->vars + (size_t)v];
        if (ei == 0)
            continue;
        *e = m == 0 || ei < *e ? ei : *e;
        int swap = term[m];
        term[m++] = term[i];
        term[i] = swap;
    }
    for (int i = 0; i < m; i++)
        f->exp[(size_t)term[i] * (size_t)f->vars + (size_t)v] -= *e;
    return m;
}

/* Push the sum of n > 0 terms: the sum over v of v^e * (the terms with v,
 * divided) + monomials that share nothing.  Return how often a term is rounded,
 * at most. */
static int horner(form *f, int *term, int n)
{
    int roundings = 0;
    for (bool first = true; n > 0; first = false) {
        ulong e;
        int v = commonest(f, term, n);
        int m = v < 0 ? 1 : take_out(f, term, n, v, &e);
        int k = v < 0 ? monomial(f, *term)
                      : horner(f, term, m) + multiply_top(f, v, e);
        roundings = k > roundings ? k : roundings;
        if (!first) {
            add_top(f);
            roundings++;
        }
        term += m;
        n -= m;
    }
    return roundings;
}

/* Append the code of poly, or of the sum of the absolute values of its terms;
 * return how often a term is rounded. */
static int compile(darc_program *p, const fmpz_mpoly_struct *poly,
                   bool magnitude, const int *input, const fmpz_mpoly_ctx_t ctx)
{
    size_t rows = (size_t)fmpz_mpoly_length(poly, ctx);
    size_t columns = (size_t)fmpz_mpoly_ctx_nvars(ctx);
    form f = {.p = p,
              .vars = (int)columns,
              .input = input,
              .magnitude = magnitude,
              .coeff = poly->coeffs};
    if (rows == 0)
        append_operation(&f, FILL, -1, 0);
    int *term = darc_calloc(rows, sizeof *term);
    f.exp = darc_calloc(rows * columns, sizeof *f.exp);
    f.seen = darc_calloc(columns, sizeof *f.seen);
    for (size_t i = 0; i < rows; i++) {
        fmpz_mpoly_get_term_exp_ui(f.exp + i * columns, poly, (slong)i, ctx);
        term[i] = (int)i;
    }
    int roundings = horner(&f, term, (int)rows);
    DARC_FREE(f.seen, f.exp, term);
    return roundings;
}

/* Set input[v] to the input that variable v becomes, -1 if it is absent. */
static void number_inputs(darc_program *p, int *input,
                          const fmpz_mpoly_struct *poly, slong count,
                          const fmpz_mpoly_ctx_t ctx)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx);
    int *used = darc_calloc((size_t)vars, sizeof *used);
    DARC_FILL(input, vars, -1);
    for (slong j = 0; j < count; j++) {
        fmpz_mpoly_used_vars(used, poly + j, ctx);
        for (slong v = 0; v < vars; v++)
            if (used[v])
                input[v] = 0;
    }
    p->variable = darc_calloc((size_t)vars, sizeof *p->variable);
    for (slong v = 0; v < vars; v++)
        if (input[v] == 0) {
            p->variable[p->inputs] = v;
            input[v] = p->inputs++;
        }
    darc_free(used);
}

void darc_program_compile_mpoly(darc_program **program,
                                const fmpz_mpoly_struct *poly, slong count,
                                bool magnitude, const fmpz_mpoly_ctx_t ctx)
{
    darc_program *p = darc_calloc(1, sizeof *p);
    int *input = darc_calloc((size_t)fmpz_mpoly_ctx_nvars(ctx), sizeof *input);
    number_inputs(p, input, poly, count, ctx);
    p->magnitude = magnitude;
    p->outputs = (int)count * (magnitude ? 2 : 1);
    DARC_CALLOC((size_t)p->outputs, p->roundings, p->end);
    for (int j = 0; j < p->outputs; j++) {
        p->roundings[j] = compile(p, poly + j % count, j >= count, input, ctx);
        p->end[j] = p->count;
    }
    darc_free(input);
    *program = p;
}

void darc_program_compile(darc_program **program, const darc_dpolys_t p,
                          bool magnitude, const darc_jet_t jet)
{
    darc_program_compile_mpoly(program, p->p, p->count, magnitude, jet->ctx);
    darc_program *q = *program;
    q->deriv = darc_calloc((size_t)q->inputs, sizeof *q->deriv);
    for (int i = 0; i < q->inputs; i++)
        q->deriv[i] = jet->deriv[q->variable[i]];
}

void darc_program_free(darc_program *program)
{
    if (program == NULL)
        return;
    DARC_FREE(program->variable, program->deriv, program->roundings,
              program->end, program->code, program);
}

/* Samples at a time, and doubles of a stack and of magnitudes that need no
 * allocation: half of a first-level cache. */
enum { BLOCK = 64, SCRATCH = 2048 };

#define LOOP(expression)                                                       \
    do {                                                                       \
        for (size_t t = 0; t < n; t++)                                         \
            to[t] = (expression);                                              \
        return;                                                                \
    } while (0)

/* One operation over n samples; `upper` is the top where `to` is below it. */
DARC_EVERY_WIDTH static void execute(const code *c, double *restrict to,
                                     const double *restrict upper,
                                     const double *restrict x, size_t n)
{
    double k = c->k;
    switch (c->op) {
    case FILL:
        LOOP(k);
    case LOAD:
        LOOP(k * x[t]);
    case MUL:
        LOOP(to[t] * x[t]);
    case ADD:
        LOOP(to[t] + upper[t]);
    case ADD_FILL:
        LOOP(to[t] + k);
    case ADD_LOAD:
        LOOP(to[t] + k * x[t]);
    case ADD_MUL:
        LOOP(to[t] + upper[t] * x[t]);
    }
}

/* A run over samples; the lowest column of the stack is the output itself. */
typedef struct {
    const darc_program *p;
    const double *const *in;
    double *absolute; /* values of the inputs, where they are wanted */
    double *stack;    /* columns above the lowest */
} run;

/* Run the code of output j for the n samples from t0 on. */
static void run_output(const run *r, int j, double *out, size_t t0, size_t n)
{
    const darc_program *p = r->p;
    double *top = out, *above = out;
    for (size_t i = j == 0 ? 0 : p->end[j - 1]; i < p->end[j]; i++) {
        const code *c = p->code + i;
        const double *x = r->absolute; /* read by none of those without one */
        if (c->x >= 0)
            x = c->x < p->inputs ? r->in[c->x] + t0
                                 : x + (c->x - p->inputs) * BLOCK;
        if (c->op == FILL || c->op == LOAD) {
            execute(c, above, r->stack, x, n);
            top = above;
            above = top == out ? r->stack : top + BLOCK;
        } else if (c->op == ADD || c->op == ADD_MUL) {
            above = top;
            top = above == r->stack ? out : above - BLOCK;
            execute(c, top, above, x, n);
        } else {
            execute(c, top, r->stack, x, n);
        }
    }
}

/* Return an output of one sample, without a call an operation. */
static double run_one(const code *c, const code *end, const double *const *in,
                      double *stack)
{
    double *top = stack - 1;
    for (; c < end; c++) {
        double x = c->x >= 0 ? *in[c->x] : 0;
        if (c->op == ADD || c->op == ADD_MUL)
            top--;
        if (c->op == FILL)
            *++top = c->k;
        else if (c->op == LOAD)
            *++top = c->k * x;
        else if (c->op == MUL)
            *top *= x;
        else
            *top += c->op == ADD        ? top[1]
                    : c->op == ADD_FILL ? c->k
                    : c->op == ADD_LOAD ? c->k * x
                                        : top[1] * x;
    }
    return *top;
}

void darc_program_eval(const darc_program *p, const double *const *in,
                       double *const *out, size_t n)
{
    _Alignas(64) double few[SCRATCH];
    size_t inputs = p->magnitude ? (size_t)p->inputs : 0;
    size_t room = BLOCK * ((size_t)p->depth + inputs);
    double *scratch = room <= SCRATCH ? few : darc_calloc(room, sizeof *few);
    run r = {p, in, scratch, scratch + BLOCK * inputs};
    if (n == 1 && !p->magnitude) {
        for (int j = 0; j < p->outputs; j++)
            *out[j] = run_one(p->code + (j == 0 ? 0 : p->end[j - 1]),
                              p->code + p->end[j], in, scratch);
        n = 0;
    }
    for (size_t t0 = 0; t0 < n; t0 += BLOCK) {
        size_t now = n - t0 < BLOCK ? n - t0 : BLOCK;
        for (size_t i = 0; i < inputs; i++)
            for (size_t t = 0; t < now; t++)
                r.absolute[i * BLOCK + t] = fabs(in[i][t0 + t]);
        for (int j = 0; j < p->outputs; j++)
            run_output(&r, j, out[j] + t0, t0, now);
    }
    if (scratch != few)
        darc_free(scratch);
}
