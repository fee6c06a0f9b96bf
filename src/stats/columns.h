/* columns.h - several arrays of numbers in one piece of memory. */
#pragma once

#include <stddef.h>

/* Return count pointers to columns of n zeroed doubles each; free with
 * darc_columns_free. */
double **darc_columns_new(size_t count, size_t n);
void darc_columns_free(double **columns);

/* An array of n zeroed doubles, which *at gets. */
typedef struct {
    double **at;
    ptrdiff_t n;
} darc_share;

/* Make the arrays listed, {&a, n}, {&b, m}, ..., in one piece: to free the
 * first one frees all. */
#define DARC_CARVE(...)                                                        \
    darc_carve((const darc_share[]){__VA_ARGS__},                              \
               sizeof((const darc_share[]){__VA_ARGS__}) / sizeof(darc_share))
void darc_carve(const darc_share *share, size_t count);
