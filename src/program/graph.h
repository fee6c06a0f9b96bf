/* graph.h - expressions with shared subexpressions, built from polynomials. */
#ifndef DARC_PROGRAM_GRAPH_H
#define DARC_PROGRAM_GRAPH_H

#include "base/flint.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    DARC_NODE_INPUT, /* input a */
    DARC_NODE_CONST, /* k */
    DARC_NODE_ABS,   /* |a| */
    DARC_NODE_NEG,   /* -a */
    DARC_NODE_ADD,   /* a + b */
    DARC_NODE_SUB,   /* a - b */
    DARC_NODE_MUL    /* a * b */
} darc_node_op;

/* Operands a, b are nodes of lower index. */
typedef struct {
    darc_node_op op;
    int a, b;
    int roundings; /* of a term on its way through this node, at most */
    double k;
} darc_node;

typedef struct {
    int count;
    size_t alloc;
    darc_node *node; /* count nodes, no two equal; owned */
    int *bucket;     /* hash table of node indices, -1: empty; owned */
    size_t buckets;  /* a power of two */
} darc_graph;

void darc_graph_init(darc_graph *g);
void darc_graph_clear(darc_graph *g);

/* Return the node of input i. */
int darc_graph_input(darc_graph *g, int i);

/* Return the node of p, or of the sum of the absolute values of its terms.
 * Variable v of the context is input[v]. */
int darc_graph_poly(darc_graph *g, const fmpz_mpoly_struct *p, bool magnitude,
                    const int *input, const fmpz_mpoly_ctx_t ctx);

#endif
