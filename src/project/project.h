/* project.h - io-equations of models in solved form by projection: which
 * state to eliminate by which output.
 *
 * The way decides between milliseconds and never.  With the parameters put
 * in as numbers a way costs little, so several are tried like that, and the
 * one with the least work is taken.
 */
#ifndef DARC_PROJECT_PROJECT_H
#define DARC_PROJECT_PROJECT_H

#include "project/flow.h"
#include "project/ioeq.h"

typedef struct {
    int count;           /* steps */
    darc_choice *choice; /* owned */
    double work;         /* products of terms it took with numbers */
} darc_route;

/* Set plan to the cheapest way found from s to the orders target; pt is a
 * point of s.  The plan is found again with the same arguments.  reached is
 * told of the ways that are tried, unless NULL.
 * Fails: as darc_flow_step does, when no way is known to end. */
DARC_CHECKED darc_status
darc_route_init(darc_route *plan, const darc_solved_t s, const int *target,
                const darc_point_t pt, const darc_budget *budget,
                struct darc_reached *reached, darc_err *err);
void darc_route_clear(darc_route *plan);

/* Run flow to its end the obvious way.
 * Fails: DARC_LIMIT past `limit` products of terms, too. */
DARC_CHECKED darc_status darc_route_obvious(darc_flow_t flow, double limit,
                                            darc_err *err);

/* Run flow to its end as planned. */
DARC_CHECKED darc_status darc_route_run(const darc_route *plan,
                                        darc_flow_t flow, darc_err *err);

/* Replace the frame of out by one for the orders target of s. */
void darc_project_frame(darc_ioeqs_t out, const darc_solved_t s,
                        const int *target);

/* Append the inequations of s to those of out. */
DARC_CHECKED darc_status darc_project_inequations(darc_ioeqs_t out,
                                                  const darc_solved_t s,
                                                  darc_err *err);

#endif
