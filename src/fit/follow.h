/* follow.h - outputs that jump and bend with held inputs, fitted.
 *
 * By how much depends on the coefficients: it is found in turns with them.
 * Where an output jumps at samples of its own, each of its samples there lies
 * before the jump or behind it: of these readings the one is taken that the
 * model says (`outputs y before`), else that the recording makes most likely.
 */
#pragma once

#include "fit/fit.h"
#include "fit/gls.h"

/* Open the equations of f, with what data says besides recording and noise.
 * Fails: as darc_weak_new. */
DARC_STATUS darc_follow_open(darc_weak **weak, const darc_fit *f,
                             const darc_question *x, const darc_table *table,
                             darc_weak_data data, darc_err *err);

/* Set what is taken of steps before there are coefficients. */
void darc_follow_begin(darc_fit *f, const darc_table *table);

/* Set f->r.steps from the fit f->white of f->weak, and *stepped to whether
 * that changes moments. Fails: as darc_gls_fit. */
DARC_STATUS darc_follow_steps(bool *stepped, darc_fit *f,
                              const darc_gls_task *task, const darc_question *x,
                              const darc_table *table, darc_err *err);

/* Set steps to those of f, whose outputs jump by coefficients beside noise of
 * the colour that the equations leave, and weak to the functions of f with
 * these; NULL: there is no such colour.  Coefficients by white noise are off by
 * what slow noise makes, and so would all jumps together be, which terms then
 * explain.  Fails: as darc_errors_take. */
DARC_STATUS darc_follow_colour(darc_weak **weak, darc_steps **steps,
                               darc_fit *f, const darc_question *x,
                               const darc_table *table, darc_err *err);

/* Return whether unknown u is an output that jumps. */
bool darc_follow_jumps(const darc_fit *f, int u);

/* Return the steps of another recording, whose outputs jump as those of f do;
 * NULL: they do not. */
darc_steps *darc_follow_like(const darc_fit *f, const darc_regression *r,
                             const darc_table *table);
