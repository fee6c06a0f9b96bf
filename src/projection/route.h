/* route.h - the steps of a projection: which state to eliminate by which
 * output.
 *
 * The way decides between milliseconds and never.  With the parameters put
 * in as numbers a way costs little, so several are tried like that, and the
 * one with the least work is taken.
 */
#ifndef DARC_PROJECTION_ROUTE_H
#define DARC_PROJECTION_ROUTE_H

#include "projection/reached.h"

/* A choice: eliminate a state by the relation of an output. */
typedef struct {
    int output, state; /* output -1: nothing left to do */
} darc_choice;

typedef struct {
    int count;           /* steps */
    darc_choice *choice; /* owned */
    double work;         /* products of terms it took with numbers */
} darc_route;

/* Set plan to the cheapest way found for problem p; pt is a point of its model.
 * The plan is found again with the same arguments.  reached is told of the
 * ways that are tried, unless NULL.
 * Fails: as darc_resultant does, when no way is known to end. */
DARC_CHECKED darc_status darc_route_init(darc_route *plan,
                                         const darc_problem_t p,
                                         const darc_point_t pt,
                                         struct darc_reached *reached,
                                         darc_err *err);
void darc_route_clear(darc_route *plan);

/* Run proj to its end as planned; reached is told of every step, unless NULL.
 */
DARC_CHECKED darc_status darc_route_run(const darc_route *plan,
                                        darc_projection_t proj,
                                        struct darc_reached *reached,
                                        darc_err *err);

/* Run proj to its end the obvious way: the step that looks cheapest is next.
 * Fails: DARC_LIMIT past `limit` products of terms, too. */
DARC_CHECKED darc_status darc_route_obvious(darc_projection_t proj,
                                            double limit,
                                            struct darc_reached *reached,
                                            darc_err *err);

#endif
