#include "program/graph.h"

#include "base/mem.h"
#include "stats/real.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* A node, or its negative: signs move outwards, so that q and -q share. */
typedef struct {
    int node; /* -1: nothing yet */
    bool negative;
} signed_node;

/* The terms of a polynomial while it is put in Horner form; a step divides
 * the rows of its terms by the factor it takes out. */
typedef struct {
    darc_graph *g;
    int vars;
    const int *leaf; /* node of each variable */
    ulong *exp;      /* row of each term; owned */
    const fmpz *coeff;
    int *seen; /* of each variable: terms that contain it; owned */
} horner_form;

void darc_graph_init(darc_graph *g)
{
    *g = (darc_graph){.buckets = 64};
    g->bucket = darc_malloc(g->buckets * sizeof *g->bucket);
    memset(g->bucket, -1, g->buckets * sizeof *g->bucket);
}

void darc_graph_clear(darc_graph *g)
{
    darc_free(g->node);
    darc_free(g->bucket);
    *g = (darc_graph){0};
}

static size_t hash_node(const darc_node *n)
{
    uint64_t bits;
    memcpy(&bits, &n->k, sizeof bits);
    uint64_t h = (uint64_t)n->op;
    h = (h ^ (uint64_t)(unsigned)n->a) * 0x9e3779b97f4a7c15u;
    h = (h ^ (h >> 29) ^ (uint64_t)(unsigned)n->b) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ bits) * 0x94d049bb133111ebu;
    return (size_t)(h ^ (h >> 31));
}

static bool same_node(const darc_node *x, const darc_node *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->k == y->k;
}

/* Return the bucket that holds n, or the empty one where it belongs. */
static size_t find_bucket(const darc_graph *g, const darc_node *n)
{
    size_t i = hash_node(n) & (g->buckets - 1);
    while (g->bucket[i] >= 0 && !same_node(g->node + g->bucket[i], n))
        i = (i + 1) & (g->buckets - 1);
    return i;
}

static void grow_buckets(darc_graph *g)
{
    g->buckets *= 2;
    g->bucket = darc_realloc(g->bucket, g->buckets, sizeof *g->bucket);
    memset(g->bucket, -1, g->buckets * sizeof *g->bucket);
    for (int i = 0; i < g->count; i++)
        g->bucket[find_bucket(g, g->node + i)] = i;
}

/* Return the node equal to n, appended if it is new. */
static int share(darc_graph *g, darc_node n)
{
    if (2 * ((size_t)g->count + 1) > g->buckets)
        grow_buckets(g);
    size_t i = find_bucket(g, &n);
    if (g->bucket[i] < 0) {
        g->node = darc_grow(g->node, (size_t)g->count, &g->alloc, sizeof n);
        g->node[g->count] = n;
        g->bucket[i] = g->count++;
    }
    return g->bucket[i];
}

int darc_graph_input(darc_graph *g, int i)
{
    return share(g, (darc_node){.op = DARC_NODE_INPUT, .a = i, .b = -1});
}

static int binary(darc_graph *g, darc_node_op op, int a, int b)
{
    int ka = g->node[a].roundings, kb = g->node[b].roundings;
    int k = op == DARC_NODE_MUL ? ka + kb : ka > kb ? ka : kb;
    return share(g, (darc_node){.op = op, .a = a, .b = b, .roundings = k + 1});
}

static int unary(darc_graph *g, darc_node_op op, int a)
{
    return share(
        g, (darc_node){
               .op = op, .a = a, .b = -1, .roundings = g->node[a].roundings});
}

static int multiply(darc_graph *g, int a, int b)
{
    return a < b ? binary(g, DARC_NODE_MUL, a, b)
                 : binary(g, DARC_NODE_MUL, b, a);
}

static signed_node add(darc_graph *g, signed_node x, signed_node y)
{
    if (x.node < 0)
        return y;
    if (x.node > y.node) {
        signed_node swap = x;
        x = y;
        y = swap;
    }
    darc_node_op op = x.negative == y.negative ? DARC_NODE_ADD : DARC_NODE_SUB;
    return (signed_node){binary(g, op, x.node, y.node), x.negative};
}

static int negate(darc_graph *g, int a)
{
    darc_node n = g->node[a];
    if (n.op == DARC_NODE_SUB)
        return binary(g, DARC_NODE_SUB, n.b, n.a);
    if (n.op == DARC_NODE_CONST) {
        n.k = -n.k;
        return share(g, n);
    }
    return unary(g, DARC_NODE_NEG, a);
}

/* v^e by squaring: e - 1 roundings at most. */
static int power(darc_graph *g, int v, ulong e)
{
    assert(e > 0);
    if (e == 1)
        return v;
    int half = power(g, v, e / 2);
    int square = multiply(g, half, half);
    return e % 2 == 0 ? square : multiply(g, square, v);
}

static int constant(darc_graph *g, double k, bool exact)
{
    return share(g, (darc_node){.op = DARC_NODE_CONST,
                                .a = -1,
                                .b = -1,
                                .roundings = exact ? 0 : 1,
                                .k = k});
}

static signed_node monomial(horner_form *f, int term)
{
    const ulong *e = f->exp + (size_t)term * (size_t)f->vars;
    int node = -1;
    for (int v = 0; v < f->vars; v++) {
        if (e[v] == 0)
            continue;
        int p = power(f->g, f->leaf[v], e[v]);
        node = node < 0 ? p : multiply(f->g, node, p);
    }
    const fmpz *c = f->coeff + term;
    double k = fabs(darc_real_integer(c));
    if (node < 0 || k != 1) {
        int ck = constant(f->g, k, fmpz_bits(c) <= 53);
        node = node < 0 ? ck : multiply(f->g, ck, node);
    }
    return (signed_node){node, fmpz_sgn(c) < 0};
}

/* Return the variable that most of the terms contain, -1 if none is in two. */
static int commonest(horner_form *f, const int *term, int n)
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
static int take_out(horner_form *f, int *term, int n, int v, ulong *e)
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

/* sum of terms = sum over v of v^e * (sum of the terms with v, divided) +
 * monomials that share nothing. */
static signed_node horner(horner_form *f, int *term, int n)
{
    signed_node sum = {-1, false};
    while (n > 0) {
        int v = commonest(f, term, n);
        if (v < 0) {
            for (int i = 0; i < n; i++)
                sum = add(f->g, sum, monomial(f, term[i]));
            return sum;
        }
        ulong e;
        int m = take_out(f, term, n, v, &e);
        signed_node q = horner(f, term, m);
        q.node = multiply(f->g, power(f->g, f->leaf[v], e), q.node);
        sum = add(f->g, sum, q);
        term += m;
        n -= m;
    }
    return sum;
}

/* The same with absolute values: all signs positive. */
static signed_node horner_abs(horner_form *f, int *term, int n,
                              const fmpz *coeff)
{
    fmpz *c = _fmpz_vec_init(n);
    for (int i = 0; i < n; i++)
        fmpz_abs(c + i, coeff + i);
    f->coeff = c;
    signed_node s = horner(f, term, n);
    _fmpz_vec_clear(c, n);
    return s;
}

int darc_graph_poly(darc_graph *g, const fmpz_mpoly_struct *p, bool magnitude,
                    const int *input, const fmpz_mpoly_ctx_t ctx)
{
    int n = (int)fmpz_mpoly_length(p, ctx);
    if (n == 0)
        return constant(g, 0, true);
    int vars = (int)fmpz_mpoly_ctx_nvars(ctx);
    size_t rows = (size_t)n, columns = (size_t)vars;
    int *leaf = darc_calloc(columns, sizeof *leaf);
    for (int v = 0; v < vars; v++)
        if (input[v] >= 0) {
            leaf[v] = darc_graph_input(g, input[v]);
            if (magnitude)
                leaf[v] = unary(g, DARC_NODE_ABS, leaf[v]);
        }
    int *term = darc_calloc(rows, sizeof *term);
    horner_form f = {.g = g, .vars = vars, .leaf = leaf, .coeff = p->coeffs};
    f.exp = darc_calloc(rows * columns, sizeof *f.exp);
    f.seen = darc_calloc(columns, sizeof *f.seen);
    for (int i = 0; i < n; i++) {
        fmpz_mpoly_get_term_exp_ui(f.exp + (size_t)i * columns, p, i, ctx);
        term[i] = i;
    }
    signed_node s =
        magnitude ? horner_abs(&f, term, n, p->coeffs) : horner(&f, term, n);
    darc_free(f.seen);
    darc_free(f.exp);
    darc_free(term);
    darc_free(leaf);
    return s.negative ? negate(g, s.node) : s.node;
}
