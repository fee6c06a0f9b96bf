/* integrator.h - initial-value problems on SUNDIALS: CVODE for y' = f(t, y),
 * IDA for F(t, y, y') = 0. */
#pragma once

#include "base/budget.h"

#include <stdbool.h>

/* A system of n >= 1 equations; the functions return non-zero where the
 * equations are not defined (a pole). */
typedef struct {
    int n;
    /* Set f to y'; NULL for an implicit system. */
    int (*slope)(double t, const double *y, double *f, void *user);
    /* Set r to F(t, y, dy); NULL for an explicit one. */
    int (*residual)(double t, const double *y, const double *dy, double *r,
                    void *user);
    const bool *differential; /* implicit: whether dy[i] occurs */
    void *user;
} darc_system;

typedef enum {
    DARC_ADAMS, /* smooth, not stiff; orders 1 .. 12 */
    DARC_BDF    /* stiff; orders 1 .. 5 */
} darc_integrator_method;

typedef struct darc_integrator darc_integrator;

/* Set *g to an integrator with local errors below
 * rtol |y_i| + atol[i]; implicit systems always use BDF. */
DARC_STATUS darc_integrator_new(darc_integrator **g, const darc_system *system,
                                darc_integrator_method method, double rtol,
                                const double *atol, darc_err *err);
void darc_integrator_free(darc_integrator *g);

/* Begin, or begin again, at time t with y; dy is a guess of y' (implicit
 * systems only).  For implicit systems `towards` is the direction of time;
 * y of the equations without derivative and dy are made consistent.
 * Fails: DARC_DOMAIN when no consistent values are found. */
DARC_STATUS darc_integrator_start(darc_integrator *g, double t, const double *y,
                                  const double *dy, double towards,
                                  darc_err *err);

/* Go on to time t, never asking the system for a time past `stop` >= t.
 * Fails: DARC_DOMAIN when the solution does not reach t; DARC_LIMIT. */
DARC_STATUS darc_integrator_advance(darc_integrator *g, double t, double stop,
                                    const darc_budget *budget, darc_err *err);

/* Return y and y' (implicit systems) where the integrator stands. */
const double *darc_integrator_y(const darc_integrator *g);
const double *darc_integrator_dy(const darc_integrator *g);
