#include "taylor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define RND MPFR_RNDN

static mpfr_t *series(int length)
{
    mpfr_t *c = calloc((size_t)length, sizeof *c);
    for (int k = 0; k < length; k++) {
        mpfr_init2(c[k], TAYLOR_BITS);
        mpfr_set_zero(c[k], 1);
    }
    return c;
}

static void drop(mpfr_t *c, int length)
{
    for (int k = 0; k < length && c != NULL; k++)
        mpfr_clear(c[k]);
    free(c);
}

void taylor_init(taylor_tape *t, int length)
{
    memset(t, 0, sizeof *t);
    t->length = length;
}

void taylor_clear(taylor_tape *t)
{
    for (int n = 0; n < t->count; n++) {
        drop(t->node[n].c, t->length);
        drop(t->node[n].aux, t->length);
    }
    t->count = 0;
}

static int add(taylor_tape *t, taylor_node node)
{
    assert(t->count < TAYLOR_NODES);
    node.c = series(t->length);
    node.aux = node.op > TAYLOR_EXP ? series(t->length) : NULL;
    t->node[t->count] = node;
    return t->count++;
}

int taylor_given(taylor_tape *t, const char *name)
{
    taylor_node node = {.op = TAYLOR_GIVEN};
    snprintf(node.name, sizeof node.name, "%s", name);
    return add(t, node);
}

int taylor_number(taylor_tape *t, long num, long den)
{
    return add(t, (taylor_node){.op = TAYLOR_NUMBER, .num = num, .den = den});
}

int taylor_apply(taylor_tape *t, taylor_op op, int a, int b)
{
    return add(t, (taylor_node){.op = op, .a = a, .b = b});
}

int taylor_derivative(taylor_tape *t, int a, long order)
{
    return add(t, (taylor_node){
                      .op = TAYLOR_DERIVATIVE, .a = a, .b = a, .num = order});
}

int taylor_named(taylor_tape *t, int n, const char *name)
{
    snprintf(t->node[n].name, sizeof t->node[n].name, "%s", name);
    return n;
}

/* Add to sum the products a_j b_(k-j), j = from .. to, each times j where
 * `rates`. */
static void convolve(mpfr_t sum, const mpfr_t *a, const mpfr_t *b, int k,
                     int from, int to, bool rates)
{
    mpfr_t p;
    mpfr_init2(p, TAYLOR_BITS);
    for (int j = from; j <= to; j++) {
        mpfr_mul(p, a[j], b[k - j], RND);
        if (rates)
            mpfr_mul_si(p, p, j, RND);
        mpfr_add(sum, sum, p, RND);
    }
    mpfr_clear(p);
}

/* Set c_k of a function whose derivative is that of a times s. */
static void integrate(mpfr_t c, const mpfr_t *a, const mpfr_t *s, int k)
{
    mpfr_set_zero(c, 1);
    convolve(c, a, s, k, 1, k, true);
    mpfr_div_si(c, c, k, RND);
}

/* c = a / b. */
static void divide(mpfr_t *c, const mpfr_t *a, const mpfr_t *b, int k)
{
    mpfr_set_zero(c[k], 1);
    convolve(c[k], c, b, k, 0, k - 1, false);
    mpfr_sub(c[k], a[k], c[k], RND);
    mpfr_div(c[k], c[k], b[0], RND);
}

/* The constants of the functions. */
static void start(taylor_node *n, const mpfr_t a)
{
    if (n->op == TAYLOR_EXP)
        mpfr_exp(n->c[0], a, RND);
    else if (n->op == TAYLOR_LOG)
        mpfr_log(n->c[0], a, RND);
    else if (n->op == TAYLOR_SQRT)
        mpfr_sqrt(n->c[0], a, RND);
    else if (n->op == TAYLOR_SIN)
        mpfr_sin_cos(n->c[0], n->aux[0], a, RND);
    else if (n->op == TAYLOR_COS)
        mpfr_sin_cos(n->aux[0], n->c[0], a, RND);
    else if (n->op == TAYLOR_ATAN)
        mpfr_atan(n->c[0], a, RND);
    else
        mpfr_tanh(n->c[0], a, RND);
}

/* Set aux_k of tanh to that of 1 - c^2, that of atan to that of 1 + a^2. */
static void square(taylor_node *n, const mpfr_t *a, int k)
{
    const mpfr_t *x = n->op == TAYLOR_TANH ? n->c : a;
    mpfr_set_zero(n->aux[k], 1);
    convolve(n->aux[k], x, x, k, 0, k, false);
    if (n->op == TAYLOR_TANH)
        mpfr_neg(n->aux[k], n->aux[k], RND);
    if (k == 0)
        mpfr_add_si(n->aux[k], n->aux[k], 1, RND);
}

/* c_k of sqrt, log and atan, which are quotients. */
static void inverse(taylor_node *n, const mpfr_t *a, int k)
{
    mpfr_t *c = n->c;
    mpfr_set_zero(c[k], 1);
    if (n->op == TAYLOR_SQRT) {
        convolve(c[k], c, c, k, 1, k - 1, false);
        mpfr_sub(c[k], a[k], c[k], RND);
        mpfr_div(c[k], c[k], c[0], RND);
        mpfr_div_si(c[k], c[k], 2, RND);
        return;
    }
    const mpfr_t *by = n->op == TAYLOR_LOG ? a : n->aux;
    convolve(c[k], c, by, k, 1, k - 1, true);
    mpfr_div_si(c[k], c[k], k, RND);
    mpfr_sub(c[k], a[k], c[k], RND);
    mpfr_div(c[k], c[k], by[0], RND);
}

static void function(taylor_node *n, const mpfr_t *a, int k)
{
    if (n->op == TAYLOR_ATAN)
        square(n, a, k);
    if (k == 0)
        start(n, a[0]);
    else if (n->op == TAYLOR_EXP)
        integrate(n->c[k], a, n->c, k);
    else if (n->op == TAYLOR_SIN || n->op == TAYLOR_COS) {
        integrate(n->c[k], a, n->aux, k);
        integrate(n->aux[k], a, n->c, k);
        mpfr_t *turned = n->op == TAYLOR_SIN ? n->aux : n->c;
        mpfr_neg(turned[k], turned[k], RND);
    } else if (n->op == TAYLOR_TANH)
        integrate(n->c[k], a, n->aux, k);
    else
        inverse(n, a, k);
    if (n->op == TAYLOR_TANH)
        square(n, a, k);
}

static void derive(taylor_node *n, const mpfr_t *a, int length, int k)
{
    int from = k + (int)n->num;
    if (from >= length) {
        mpfr_set_zero(n->c[k], 1);
        return;
    }
    mpfr_set(n->c[k], a[from], RND);
    for (int j = k + 1; j <= from; j++)
        mpfr_mul_si(n->c[k], n->c[k], j, RND);
}

static void step(taylor_tape *t, taylor_node *n, int k)
{
    const mpfr_t *a = t->node[n->a].c, *b = t->node[n->b].c;
    if (n->op == TAYLOR_NUMBER && k == 0) {
        mpfr_set_si(n->c[0], n->num, RND);
        mpfr_div_si(n->c[0], n->c[0], n->den, RND);
    } else if (n->op == TAYLOR_SUM) {
        mpfr_add(n->c[k], a[k], b[k], RND);
    } else if (n->op == TAYLOR_DIFFERENCE) {
        mpfr_sub(n->c[k], a[k], b[k], RND);
    } else if (n->op == TAYLOR_PRODUCT) {
        mpfr_set_zero(n->c[k], 1);
        convolve(n->c[k], a, b, k, 0, k, false);
    } else if (n->op == TAYLOR_QUOTIENT) {
        divide(n->c, a, b, k);
    } else if (n->op == TAYLOR_DERIVATIVE) {
        derive(n, a, t->length, k);
    } else if (n->op >= TAYLOR_EXP) {
        function(n, a, k);
    }
}

void taylor_step(taylor_tape *t, int first, int k)
{
    for (int n = first; n < t->count; n++)
        step(t, t->node + n, k);
}

static void print_operand(FILE *out, const taylor_tape *t, int n)
{
    if (t->node[n].name[0] != '\0')
        fputs(t->node[n].name, out);
    else
        taylor_print(out, t, n);
}

void taylor_print(FILE *out, const taylor_tape *t, int n)
{
    static const char *const names[] = {"exp", "log",  "sqrt", "sin",
                                        "cos", "atan", "tanh"};
    static const char signs[] = "+-*/";
    const taylor_node *node = t->node + n;
    if (node->op == TAYLOR_GIVEN) {
        fputs(node->name, out);
    } else if (node->op == TAYLOR_NUMBER) {
        fprintf(out, "%ld/%ld", node->num, node->den);
    } else if (node->op < TAYLOR_DERIVATIVE) {
        fputc('(', out);
        print_operand(out, t, node->a);
        fprintf(out, " %c ", signs[node->op - TAYLOR_SUM]);
        print_operand(out, t, node->b);
        fputc(')', out);
    } else {
        fprintf(out, "%s(", names[node->op - TAYLOR_EXP]);
        print_operand(out, t, node->a);
        fputc(')', out);
    }
}
