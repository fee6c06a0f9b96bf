#include "program/program.h"

#include "base/mem.h"
#include "program/code.h"
#include "program/graph.h"

#include <assert.h>
#include <string.h>

/* From graph to instructions: which nodes are computed, where they live. */
typedef struct {
    const darc_graph *g;
    darc_program *program;
    const int *out; /* node of each output */
    int *uses;      /* of each node, by nodes and outputs; owned */
    int *at;        /* register of each node, -1: none; owned */
    bool *folded;   /* a product inside the sum that uses it; owned */
    int *last;      /* last instruction that reads each node; owned */
    int *free_slot; /* stack of free slots; owned */
    int free_slots;
} lowering;

static bool is_op(const lowering *l, int node, darc_node_op op)
{
    return l->g->node[node].op == op;
}

static void count_uses(lowering *l)
{
    for (int j = 0; j < l->program->outputs; j++)
        l->uses[l->out[j]]++;
    for (int i = l->g->count - 1; i >= 0; i--) {
        const darc_node *n = l->g->node + i;
        if (l->uses[i] == 0 || n->op == DARC_NODE_INPUT)
            continue;
        if (n->a >= 0)
            l->uses[n->a]++;
        if (n->b >= 0)
            l->uses[n->b]++;
    }
}

static bool is_output(const lowering *l, int node)
{
    for (int j = 0; j < l->program->outputs; j++)
        if (l->out[j] == node)
            return true;
    return false;
}

/* A product of two registers that one sum alone uses. */
static bool folds(const lowering *l, int node)
{
    const darc_node *n = l->g->node + node;
    return n->op == DARC_NODE_MUL && l->uses[node] == 1 &&
           !is_op(l, n->a, DARC_NODE_CONST) &&
           !is_op(l, n->b, DARC_NODE_CONST) && !is_output(l, node);
}

static darc_code product_code(const darc_node *n, const darc_node *a,
                              const darc_node *b)
{
    if (a->op == DARC_NODE_CONST)
        return (darc_code){DARC_CODE_MUL_K, 0, n->b, -1, -1, -1, a->k};
    if (b->op == DARC_NODE_CONST)
        return (darc_code){DARC_CODE_MUL_K, 0, n->a, -1, -1, -1, b->k};
    return (darc_code){DARC_CODE_MUL, 0, n->a, n->b, -1, -1, 0};
}

static darc_code constant_sum_code(const darc_node *n, const darc_node *a,
                                   const darc_node *b)
{
    bool first = a->op == DARC_NODE_CONST;
    int x = first ? n->b : n->a;
    double k = first ? a->k : b->k;
    if (n->op == DARC_NODE_ADD)
        return (darc_code){DARC_CODE_ADD_K, 0, x, -1, -1, -1, k};
    if (first)
        return (darc_code){DARC_CODE_K_SUB, 0, x, -1, -1, -1, k};
    return (darc_code){DARC_CODE_ADD_K, 0, x, -1, -1, -1, -k};
}

/* a +- b, with products of one use folded in. */
static darc_code sum_code(lowering *l, const darc_node *n)
{
    const darc_node *a = l->g->node + n->a, *b = l->g->node + n->b;
    if (a->op == DARC_NODE_CONST || b->op == DARC_NODE_CONST)
        return constant_sum_code(n, a, b);
    bool plus = n->op == DARC_NODE_ADD;
    bool fa = folds(l, n->a) && n->a != n->b;
    bool fb = folds(l, n->b) && n->a != n->b;
    l->folded[n->a] |= fa;
    l->folded[n->b] |= fb;
    if (fa && fb)
        return (darc_code){
            plus ? DARC_CODE_DOT : DARC_CODE_DET, 0, a->a, a->b, b->a, b->b, 0};
    if (fa)
        return (darc_code){plus ? DARC_CODE_MUL_ADD : DARC_CODE_MUL_SUB,
                           0,
                           a->a,
                           a->b,
                           n->b,
                           -1,
                           0};
    if (fb)
        return (darc_code){plus ? DARC_CODE_MUL_ADD : DARC_CODE_SUB_MUL,
                           0,
                           b->a,
                           b->b,
                           n->a,
                           -1,
                           0};
    return (darc_code){
        plus ? DARC_CODE_ADD : DARC_CODE_SUB, 0, n->a, n->b, -1, -1, 0};
}

/* The instruction of a node, operands still as nodes. */
static darc_code node_code(lowering *l, int i)
{
    const darc_node *n = l->g->node + i;
    switch (n->op) {
    case DARC_NODE_ABS:
        return (darc_code){DARC_CODE_ABS, 0, n->a, -1, -1, -1, 0};
    case DARC_NODE_NEG:
        return (darc_code){DARC_CODE_NEG, 0, n->a, -1, -1, -1, 0};
    case DARC_NODE_ADD:
    case DARC_NODE_SUB:
        return sum_code(l, n);
    case DARC_NODE_MUL:
        return product_code(n, l->g->node + n->a, l->g->node + n->b);
    case DARC_NODE_INPUT:
    case DARC_NODE_CONST:
        break;
    }
    return (darc_code){DARC_CODE_FILL, 0, -1, -1, -1, -1, n->k};
}

/* Append the instructions of all nodes in use; c.to is the node. */
static void select_code(lowering *l)
{
    darc_program *p = l->program;
    darc_code *code =
        darc_calloc((size_t)l->g->count + (size_t)p->outputs, sizeof *code);
    int n = 0;
    /* Downwards, so that a sum folds its products before they are met. */
    for (int i = l->g->count - 1; i >= 0; i--) {
        darc_node_op op = l->g->node[i].op;
        bool alone = op == DARC_NODE_CONST && !is_output(l, i);
        if (l->uses[i] == 0 || l->folded[i] || alone || op == DARC_NODE_INPUT)
            continue;
        code[n] = node_code(l, i);
        code[n++].to = i;
    }
    for (int i = 0; i < n / 2; i++) {
        darc_code swap = code[i];
        code[i] = code[n - 1 - i];
        code[n - 1 - i] = swap;
    }
    p->code = code;
    p->count = n;
}

static void find_last_reads(lowering *l)
{
    for (int i = 0; i < l->program->count; i++) {
        const darc_code *c = l->program->code + i;
        const int operand[] = {c->a, c->b, c->c, c->d};
        for (int k = 0; k < 4; k++)
            if (operand[k] >= 0)
                l->last[operand[k]] = i;
    }
}

static void release(lowering *l, int node, int now)
{
    int first = l->program->inputs + l->program->outputs;
    if (node >= 0 && l->last[node] == now && l->at[node] >= first) {
        l->free_slot[l->free_slots++] = l->at[node];
        l->last[node] = -1;
    }
}

static void place(lowering *l, int node)
{
    darc_program *p = l->program;
    if (l->at[node] >= 0)
        return;
    if (l->free_slots > 0)
        l->at[node] = l->free_slot[--l->free_slots];
    else
        l->at[node] = p->inputs + p->outputs + p->slots++;
}

/* Replace nodes by registers.  The result is placed before the operands are
 * released: an instruction never writes what it reads. */
static void allocate(lowering *l)
{
    for (int i = 0; i < l->program->count; i++) {
        darc_code *c = l->program->code + i;
        int a = c->a, b = c->b, e = c->c, d = c->d;
        place(l, c->to);
        release(l, a, i);
        release(l, b, i);
        release(l, e, i);
        release(l, d, i);
        c->to = l->at[c->to];
        c->a = a < 0 ? -1 : l->at[a];
        c->b = b < 0 ? -1 : l->at[b];
        c->c = e < 0 ? -1 : l->at[e];
        c->d = d < 0 ? -1 : l->at[d];
    }
}

/* Give inputs and outputs their registers; copy where an output is an input
 * or another output. */
static void place_ends(lowering *l, int *copies)
{
    darc_program *p = l->program;
    for (int i = 0; i < l->g->count; i++) {
        l->at[i] = -1;
        if (is_op(l, i, DARC_NODE_INPUT))
            l->at[i] = l->g->node[i].a;
    }
    for (int j = 0; j < p->outputs; j++) {
        copies[j] = l->at[l->out[j]] >= 0;
        if (!copies[j])
            l->at[l->out[j]] = p->inputs + j;
    }
}

static void append_copies(lowering *l, const int *copies)
{
    darc_program *p = l->program;
    for (int j = 0; j < p->outputs; j++)
        if (copies[j])
            p->code[p->count++] = (darc_code){
                DARC_CODE_COPY, p->inputs + j, l->at[l->out[j]], -1, -1, -1, 0};
}

static int operations_of(darc_code_op op)
{
    switch (op) {
    case DARC_CODE_FILL:
    case DARC_CODE_COPY:
    case DARC_CODE_ABS:
    case DARC_CODE_NEG:
        return 0;
    case DARC_CODE_MUL_ADD:
    case DARC_CODE_MUL_SUB:
    case DARC_CODE_SUB_MUL:
        return 2;
    case DARC_CODE_DOT:
    case DARC_CODE_DET:
        return 3;
    default:
        return 1;
    }
}

static void lower(darc_program *p, const darc_graph *g, const int *out)
{
    size_t n = (size_t)g->count;
    lowering l = {.g = g, .program = p, .out = out};
    l.uses = darc_calloc(n, sizeof *l.uses);
    l.at = darc_calloc(n, sizeof *l.at);
    l.folded = darc_calloc(n, sizeof *l.folded);
    l.last = darc_calloc(n, sizeof *l.last);
    l.free_slot = darc_calloc(n, sizeof *l.free_slot);
    int *copies = darc_calloc((size_t)p->outputs, sizeof *copies);
    count_uses(&l);
    select_code(&l);
    find_last_reads(&l);
    place_ends(&l, copies);
    allocate(&l);
    append_copies(&l, copies);
    for (int i = 0; i < p->count; i++)
        p->operations += operations_of(p->code[i].op);
    for (int j = 0; j < p->outputs; j++)
        p->roundings[j] = g->node[out[j]].roundings;
    darc_free(copies);
    darc_free(l.free_slot);
    darc_free(l.last);
    darc_free(l.folded);
    darc_free(l.at);
    darc_free(l.uses);
}

/* Set input[v] to the input that variable v becomes, -1 if it is absent. */
static void number_inputs(darc_program *p, int *input,
                          const fmpz_mpoly_struct *poly, slong count,
                          const fmpz_mpoly_ctx_t ctx)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx);
    int *used = darc_calloc((size_t)vars, sizeof *used);
    for (slong v = 0; v < vars; v++)
        input[v] = -1;
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
    assert(count > 0);
    darc_program *p = darc_calloc(1, sizeof *p);
    size_t vars = (size_t)fmpz_mpoly_ctx_nvars(ctx);
    int *input = darc_calloc(vars, sizeof *input);
    number_inputs(p, input, poly, count, ctx);
    p->outputs = (int)count * (magnitude ? 2 : 1);
    p->roundings = darc_calloc((size_t)p->outputs, sizeof *p->roundings);
    int *out = darc_calloc((size_t)p->outputs, sizeof *out);
    darc_graph g;
    darc_graph_init(&g);
    for (int i = 0; i < p->inputs; i++)
        darc_graph_input(&g, i);
    for (int j = 0; j < p->outputs; j++)
        out[j] = darc_graph_poly(&g, poly + j % count, j >= count, input, ctx);
    lower(p, &g, out);
    darc_graph_clear(&g);
    darc_free(out);
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
    darc_free(program->variable);
    darc_free(program->deriv);
    darc_free(program->roundings);
    darc_free(program->code);
    darc_free(program);
}

int darc_program_inputs(const darc_program *program)
{
    return program->inputs;
}

int darc_program_outputs(const darc_program *program)
{
    return program->outputs;
}

darc_deriv darc_program_input(const darc_program *program, int i)
{
    assert(i >= 0 && i < program->inputs && program->deriv != NULL);
    return program->deriv[i];
}

slong darc_program_variable(const darc_program *program, int i)
{
    assert(i >= 0 && i < program->inputs);
    return program->variable[i];
}

int darc_program_operations(const darc_program *program)
{
    return program->operations;
}

int darc_program_roundings(const darc_program *program, int j)
{
    assert(j >= 0 && j < program->outputs);
    return program->roundings[j];
}
