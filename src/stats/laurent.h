/* laurent.h - sums of Laurent monomials with logarithms, evaluated on
 * arrays, differentiated, and freed of the bias that noise gives to powers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { DARC_LAURENT_VARS = 16 };

typedef struct {
    double a;                 /* factor */
    int log;                  /* variable of the logarithm, or -1 */
    int e[DARC_LAURENT_VARS]; /* exponents */
} darc_monomial;

typedef struct {
    int vars;
    int count;
    darc_monomial *m; /* owned */
} darc_laurent;

void darc_laurent_init(darc_laurent *f, int vars);
void darc_laurent_clear(darc_laurent *f);
void darc_laurent_add(darc_laurent *f, const darc_monomial *m);

/* Set g to df/dv; g is new. */
void darc_laurent_diff(darc_laurent *g, const darc_laurent *f, int v);

/* Replace f by exp(-L/2) f, L = sum_vw cov[v*vars + w] d/dv d/dw: then the
 * mean of f over Gaussian noise of that covariance is f without noise.  The
 * series ends for polynomials (Hermite); otherwise it is cut after L^3. */
void darc_laurent_unbias(darc_laurent *f, const double *cov);

/* Return whether f is a number; *value gets it. */
bool darc_laurent_is_number(const darc_laurent *f, double *value);

/* Return v if f is variable v itself, else -1. */
int darc_laurent_is_variable(const darc_laurent *f);

/* Set out[t] to f(x[0][t], x[1][t], ...), t < n; log |x| for logarithms. */
void darc_laurent_eval(double *out, const darc_laurent *f,
                       const double *const *x, size_t n);
