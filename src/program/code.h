/* code.h - the instructions of a program. */
#ifndef DARC_PROGRAM_CODE_H
#define DARC_PROGRAM_CODE_H

#include "program/program.h"

/* Operands are registers; every product and sum is rounded by itself. */
typedef enum {
    DARC_CODE_FILL,    /* k */
    DARC_CODE_COPY,    /* a */
    DARC_CODE_ABS,     /* |a| */
    DARC_CODE_NEG,     /* -a */
    DARC_CODE_ADD,     /* a + b */
    DARC_CODE_SUB,     /* a - b */
    DARC_CODE_MUL,     /* a * b */
    DARC_CODE_ADD_K,   /* a + k */
    DARC_CODE_K_SUB,   /* k - a */
    DARC_CODE_MUL_K,   /* a * k */
    DARC_CODE_MUL_ADD, /* a * b + c */
    DARC_CODE_MUL_SUB, /* a * b - c */
    DARC_CODE_SUB_MUL, /* c - a * b */
    DARC_CODE_DOT,     /* a * b + c * d */
    DARC_CODE_DET      /* a * b - c * d */
} darc_code_op;

typedef struct {
    darc_code_op op;
    int to;         /* register */
    int a, b, c, d; /* registers, -1 where there is none */
    double k;
} darc_code;

/* Registers: inputs, then outputs, then `slots` of scratch. */
struct darc_program {
    int inputs, outputs, slots;
    slong *variable;   /* of each input; owned */
    darc_deriv *deriv; /* of each input, NULL without a jet; owned */
    int *roundings;    /* of each output; owned */
    int count;
    darc_code *code; /* count instructions; owned */
    int operations;
};

#endif
