#include "base/mem.h"
#include "program/code.h"
#include "stats/stencil.h"

#include <math.h>

/* Scratch on the stack, in doubles: half of a first-level cache. */
#define SCRATCH 2048
#define REGISTERS 256
#define BLOCK_MAX 64 /* longer bursts collide in the cache: twice as slow */
#define BLOCK_MIN 16

#define LOOP(expression)                                                       \
    do {                                                                       \
        for (size_t t = 0; t < n; t++)                                         \
            to[t] = (expression);                                              \
        return;                                                                \
    } while (0)

/* One instruction over n samples; one case per opcode. */
DARC_EVERY_WIDTH static void
execute(darc_code_op op, double k, double *restrict to,
        const double *restrict a, const double *restrict b,
        const double *restrict c, const double *restrict d, size_t n)
{
    switch (op) {
    case DARC_CODE_FILL:
        LOOP(k);
    case DARC_CODE_COPY:
        LOOP(a[t]);
    case DARC_CODE_ABS:
        LOOP(fabs(a[t]));
    case DARC_CODE_NEG:
        LOOP(-a[t]);
    case DARC_CODE_ADD:
        LOOP(a[t] + b[t]);
    case DARC_CODE_SUB:
        LOOP(a[t] - b[t]);
    case DARC_CODE_MUL:
        LOOP(a[t] * b[t]);
    case DARC_CODE_ADD_K:
        LOOP(a[t] + k);
    case DARC_CODE_K_SUB:
        LOOP(k - a[t]);
    case DARC_CODE_MUL_K:
        LOOP(a[t] * k);
    case DARC_CODE_MUL_ADD:
        LOOP(a[t] * b[t] + c[t]);
    case DARC_CODE_MUL_SUB:
        LOOP(a[t] * b[t] - c[t]);
    case DARC_CODE_SUB_MUL:
        LOOP(c[t] - a[t] * b[t]);
    case DARC_CODE_DOT:
        LOOP(a[t] * b[t] + c[t] * d[t]);
    case DARC_CODE_DET:
        LOOP(a[t] * b[t] - c[t] * d[t]);
    }
}

static size_t block_size(int slots, size_t scratch)
{
    size_t b = slots == 0 ? BLOCK_MAX : scratch / (size_t)slots / 8 * 8;
    return b > BLOCK_MAX ? BLOCK_MAX : b < BLOCK_MIN ? BLOCK_MIN : b;
}

/* Run the program over one block; reg holds all registers and, last, NULL
 * for the operands that an instruction does not have. */
static void run_block(const darc_program *p, double *const *reg, size_t n)
{
    int none = p->inputs + p->outputs + p->slots;
    for (int i = 0; i < p->count; i++) {
        const darc_code *c = p->code + i;
        execute(c->op, c->k, reg[c->to], reg[c->a < 0 ? none : c->a],
                reg[c->b < 0 ? none : c->b], reg[c->c < 0 ? none : c->c],
                reg[c->d < 0 ? none : c->d], n);
    }
}

void darc_program_eval(const darc_program *p, const double *const *in,
                       double *const *out, size_t n)
{
    _Alignas(64) double stack[SCRATCH];
    double *few[REGISTERS];
    int ends = p->inputs + p->outputs;
    size_t regs = (size_t)(ends + p->slots) + 1;
    size_t block = block_size(p->slots, SCRATCH);
    bool small = block * (size_t)p->slots <= SCRATCH;
    double *scratch =
        small ? stack : darc_calloc(block * (size_t)p->slots, sizeof *scratch);
    double **reg = regs <= REGISTERS ? few : darc_calloc(regs, sizeof *reg);
    for (int s = 0; s < p->slots; s++)
        reg[ends + s] = scratch + (size_t)s * block;
    reg[regs - 1] = NULL;
    for (size_t t = 0; t < n; t += block) {
        /* Input registers are read only; the cast lets them share a table. */
        for (int i = 0; i < p->inputs; i++)
            reg[i] = (double *)(size_t)(in[i] + t);
        for (int j = 0; j < p->outputs; j++)
            reg[p->inputs + j] = out[j] + t;
        run_block(p, reg, n - t < block ? n - t : block);
    }
    if (reg != few)
        darc_free(reg);
    if (scratch != stack)
        darc_free(scratch);
}
