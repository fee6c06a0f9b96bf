/* total.h - differential polynomials as sums of total derivatives.
 *
 * mu * E = sum_j c_j sum_i (d/dt)^order_i N_i, every N_i a Laurent monomial
 * in the signals and as few derivatives of them as possible, times at most
 * one logarithm.  mu is an integrating factor, a monomial in the signals:
 * (x*x'' - x'^2) / x^2 = (log x)''.  What remains of derivatives inside the
 * N_i is irreducible (x'^2, x'*u') and has to be estimated from data; with
 * none left no derivative of the data is ever taken.
 */
#pragma once

#include "base/text.h"
#include "projection/ioeq.h"

typedef struct {
    int coeff;     /* j: the coefficient that multiplies it */
    int order;     /* of the total derivative */
    fmpq_t factor; /* never 0 */
    int *exponent; /* of var[v], v < vars, of any sign; owned */
    int log;       /* variable whose logarithm multiplies; -1: none */
} darc_total_term;

/* Return whether a term holds variable v. */
static inline bool darc_total_holds(const darc_total_term *t, int v)
{
    return t->exponent[v] != 0 || t->log == v;
}

typedef struct {
    int vars;        /* signals and their derivatives that may occur */
    darc_deriv *var; /* owned */
    int *next;       /* variable of the derivative of var[v]; -1: outside the
                        frame; -2: the number 1 (var[v] is time); owned */
    int coeffs;      /* number of coefficients c_j */
    int *factor;     /* exponents of mu in var[v]; owned */
    int count;
    darc_total_term *term; /* owned */
} darc_total_struct;

typedef darc_total_struct darc_total_t[1];

/* Set out to E = sum_j c_j * part[j] in total derivatives, parts in frame
 * jet.  With `search`, integrating factors with exponents 0 .. -3 of every
 * signal of E are tried and the best is kept: first the lowest derivative
 * left inside, then the fewest terms with derivatives, no division, the fewest
 * terms, mu nearest to 1.  Without, mu = 1.
 * Fails: DARC_DOMAIN for an exponent past 1000. */
DARC_STATUS darc_total_init(darc_total_t out, const darc_dpolys_t part,
                            const darc_jet_t jet, bool search, darc_err *err);
void darc_total_clear(darc_total_t total);
void darc_total_set(darc_total_t out, const darc_total_t total);

/* Add a coefficient without terms; return its index. */
int darc_total_open(darc_total_t total);

/* Add to a coefficient the term factor * mu * (d/dt)^order prod_v
 * var[v]^exponent[v] (mu left out where order > 0). */
void darc_total_put(darc_total_t total, int coeff, double factor, int order,
                    const int *exponent);

/* Turn what was put into total derivatives: rewrite terms until none is the
 * derivative of something lower. */
void darc_total_reduce(darc_total_t total);

/* Add a variable for the signal `unknown`, new to total, without its
 * derivatives: it may stand in appended terms only.  Return its index. */
int darc_total_extend(darc_total_t total, int unknown);

/* Return the variable that stands for d, -1 if there is none. */
int darc_total_var(const darc_total_t total, darc_deriv d);

/* Return the highest order of a derivative left inside the N_i, at least 0. */
int darc_total_left(const darc_total_t total);

/* Return the highest order of a total derivative. */
int darc_total_order(const darc_total_t total);

/* Return whether mu = 1. */
bool darc_total_is_plain(const darc_total_t total);

/* Append "c0*(log(x))'' - c1*(x)'": c_j stands for coefficient j. */
void darc_total_print(darc_text_t out, const darc_total_t total,
                      const darc_names_t names);

/* Add factor * (d/dt)^order prod var^exponent [* log] to total; like terms
 * are combined.  exponent is copied. */
void darc_total_add(darc_total_t total, int coeff, int order,
                    const fmpq_t factor, const int *exponent, int log);

/* Set out to the variables and mu of total, without terms. */
void darc_total_init_like(darc_total_t out, const darc_total_t total);
