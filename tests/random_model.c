#include "random_model.h"

#include "draw.h"

#include <stdlib.h>
#include <string.h>

static int below(random_model *m, int n)
{
    return (int)(draw_bits(&m->draws) % (uint64_t)n);
}

static int apply(random_model *m, taylor_op op, int a, int b)
{
    return taylor_apply(&m->tape, op, a, b);
}

static int any_state(random_model *m)
{
    return m->x[below(m, m->states)];
}

static int any_param(random_model *m)
{
    return m->p[below(m, m->params)];
}

/* A parameter times one or two of the states, or a state and the input; all
 * numbers are positive, so are all arguments of functions. */
static int product(random_model *m)
{
    int n = apply(m, TAYLOR_PRODUCT, any_param(m), any_state(m));
    if (below(m, 3) == 0)
        n = apply(m, TAYLOR_PRODUCT, n, any_state(m));
    else if (m->input && below(m, 4) == 0)
        n = apply(m, TAYLOR_PRODUCT, n, m->u);
    return n;
}

/* x/(p + x), a rational function that saturates. */
static int saturation(random_model *m)
{
    int x = any_state(m);
    int sum = apply(m, TAYLOR_SUM, any_param(m), x);
    return apply(m, TAYLOR_QUOTIENT, x, sum);
}

/* A function of a state, times or plus a parameter in every third. */
static int function(random_model *m)
{
    taylor_op op = (taylor_op)(TAYLOR_EXP + below(m, 7));
    int x = any_state(m), way = below(m, 4);
    if (way == 0)
        x = apply(m, TAYLOR_PRODUCT, any_param(m), x);
    else if (way == 1)
        x = apply(m, TAYLOR_SUM, any_param(m), x);
    m->functions = m->functions || op != TAYLOR_SQRT;
    return taylor_apply(&m->tape, op, x, 0);
}

static int rate(random_model *m, int i, bool with_function)
{
    int sum =
        m->input && i == 0 ? m->u : taylor_number(&m->tape, below(m, 2), 2);
    for (int k = 1 + below(m, 2); k > 0; k--)
        sum = apply(m, below(m, 2) == 0 ? TAYLOR_SUM : TAYLOR_DIFFERENCE, sum,
                    product(m));
    if (below(m, 8) == 0)
        sum = apply(m, TAYLOR_SUM, sum,
                    apply(m, TAYLOR_PRODUCT, any_param(m), saturation(m)));
    if (with_function)
        sum = apply(m, TAYLOR_DIFFERENCE, sum,
                    apply(m, TAYLOR_PRODUCT, any_param(m), function(m)));
    return sum;
}

static void draw_equations(random_model *m)
{
    bool functions = below(m, 3) == 0;
    int f = below(m, m->states);
    if (below(m, 3) == 0)
        m->algebraic = taylor_named(
            &m->tape, apply(m, TAYLOR_QUOTIENT, product(m), any_state(m)), "z");
    for (int i = 0; i < m->states; i++)
        m->rate[i] = rate(m, i, functions && i == f);
    if (m->algebraic >= 0)
        m->rate[0] = apply(m, TAYLOR_SUM, m->rate[0], m->algebraic);
    if (below(m, 4) == 0) {
        m->mixed = below(m, m->states);
        m->with = (m->mixed + 1) % m->states;
    }
    for (int j = 0; j < m->outputs; j++) {
        int way = below(m, 6);
        m->seen[j] = m->x[(j + below(m, 2)) % m->states];
        if (way == 0)
            m->seen[j] = apply(m, TAYLOR_PRODUCT, any_param(m), m->seen[j]);
        else if (way == 1)
            m->seen[j] = apply(m, TAYLOR_SUM, m->seen[j], any_state(m));
        else if (way == 2 && functions)
            m->seen[j] = function(m);
    }
}

static void declare(FILE *out, const random_model *m)
{
    fputs("model random\nparameters\n   ", out);
    for (int i = 0; i < m->params; i++)
        fprintf(out, " p%d", i);
    fputs("\nstates\n   ", out);
    for (int i = 0; i < m->states; i++)
        fprintf(out, " x%d", i);
    fprintf(out, "%s%s\noutputs\n   ", m->algebraic >= 0 ? " z" : "",
            m->input ? "\ninputs\n    u" : "");
    for (int j = 0; j < m->outputs; j++)
        fprintf(out, " y%d", j);
    fputs("\nequations\n", out);
}

static void write_equations(FILE *out, const random_model *m)
{
    const taylor_tape *t = &m->tape;
    for (int i = 0; i < m->states; i++) {
        bool mixed = i == m->mixed;
        fprintf(out, "    x%d'", i);
        if (mixed)
            fprintf(out, " + 2*x%d'", m->with);
        fputs(" = ", out);
        taylor_print(out, t, m->rate[i]);
        if (mixed) {
            fputs(" + 2*(", out);
            taylor_print(out, t, m->rate[m->with]);
            fputs(")", out);
        }
        fputc('\n', out);
    }
    if (m->algebraic >= 0) {
        const taylor_node *z = t->node + m->algebraic;
        fprintf(out, "    z*%s = ", t->node[z->b].name);
        taylor_print(out, t, z->a);
        fputc('\n', out);
    }
    for (int j = 0; j < m->outputs; j++) {
        fprintf(out, "    y%d = ", j);
        taylor_print(out, t, m->seen[j]);
        fputc('\n', out);
    }
}

/* Name nodes x0, x1, ... */
static void name_all(int *node, int n, char letter, taylor_tape *t)
{
    for (int i = 0; i < n; i++) {
        char name[12];
        snprintf(name, sizeof name, "%c%d", letter, i);
        node[i] = taylor_given(t, name);
    }
}

void random_model_init(random_model *m, int seed)
{
    size_t size;
    memset(m, 0, sizeof *m);
    m->draws = (uint64_t)seed;
    m->mixed = m->algebraic = -1;
    m->states = 2 + below(m, RANDOM_STATES - 1);
    m->params = 2 + below(m, RANDOM_PARAMS - 1);
    m->outputs = 1 + below(m, RANDOM_OUTPUTS);
    m->input = below(m, 2) == 0;
    taylor_init(&m->tape, RANDOM_LENGTH);
    name_all(m->p, m->params, 'p', &m->tape);
    name_all(m->x, m->states, 'x', &m->tape);
    m->u = taylor_given(&m->tape, "u");
    draw_equations(m);
    FILE *out = open_memstream(&m->text, &size);
    declare(out, m);
    write_equations(out, m);
    fclose(out);
}

void random_model_clear(random_model *m)
{
    taylor_clear(&m->tape);
    free(m->text);
}

/* Between .5 and 2. */
static void draw_number(mpfr_t c, uint64_t *state)
{
    mpfr_set_d(c, 0.5 + 1.5 * draw_uniform(state), MPFR_RNDN);
}

static void shift(mpfr_t c)
{
    mpfr_t tiny;
    mpfr_init2(tiny, TAYLOR_BITS);
    mpfr_set_si_2exp(tiny, 1, -RANDOM_SHIFT, MPFR_RNDN);
    mpfr_add(c, c, tiny, MPFR_RNDN);
    mpfr_clear(tiny);
}

void random_model_run(random_model *m, int parameters, int experiment, int v)
{
    taylor_node *node = m->tape.node;
    uint64_t of_parameters = (uint64_t)parameters, own = (uint64_t)experiment;
    for (int i = 0; i < m->params; i++)
        draw_number(node[m->p[i]].c[0], &of_parameters);
    for (int i = 0; i < m->states; i++)
        draw_number(node[m->x[i]].c[0], &own);
    for (int k = 0; k < RANDOM_LENGTH; k++)
        draw_number(node[m->u].c[k], &own);
    if (v >= 0)
        shift(node[v < m->params ? m->p[v] : m->x[v - m->params]].c[0]);
    for (int k = 0; k < RANDOM_LENGTH; k++) {
        taylor_step(&m->tape, 0, k);
        for (int i = 0; i < m->states && k + 1 < RANDOM_LENGTH; i++)
            mpfr_div_si(node[m->x[i]].c[k + 1], node[m->rate[i]].c[k], k + 1,
                        MPFR_RNDN);
    }
}
