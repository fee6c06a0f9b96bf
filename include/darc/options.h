/* options.h - how a question is asked: options by name, as on the command line.
 *
 *     darc_options_new(&o, "check", &err);
 *     darc_options_set(o, "noise", "z=2e-5,a=0.05", &err);
 *     darc_options_number(o, "alpha", 0.001, &err);
 *
 * Names are those that `darc COMMAND --help` lists, without the dashes, for
 * the commands
 * - check, of darc_session_open: method, alpha, tolerance, noise, noise-from,
 *   noise-colour, map, scale, time, rate, from, to, against, changed, diff,
 *   ranking, engine, threads, verbose
 * - drift, of darc_campaign_open: the same, baseline, db
 * - eliminate: for, changed, keep, ranking, form, all-components, engine,
 *   summary, format
 * - identify: ranking, engine
 * - simulate: param, init, input, map, t-end, rate, noise, seed, keep
 * - compare: columns, features, target, paired, spectra, nominal, ...
 * - plan: values, input, param, init, t-end, changed, alpha, noise, ...
 * - fulfil: free, param, tolerance, band
 * - data, of darc_recording_read: map, scale, time, rate, from, to
 *
 * What they mean, their ranges and defaults stand there too.  Options that
 * only say where the program's output goes are not among them; time and
 * memory are bounded by a darc_budget.
 */
#ifndef DARC_OPTIONS_H
#define DARC_OPTIONS_H

#include "darc/status.h"

DARC_BEGIN_DECLS

typedef struct darc_options darc_options;

/* Set *o to the defaults for the command.
 * Fails: DARC_USAGE when there is no such command; DARC_LIMIT for lack of
 * memory. */
DARC_CHECKED darc_status darc_options_new(darc_options **o, const char *command,
                                          darc_err *err);
void darc_options_free(darc_options *o);

/* Set the option to a value, as text or as a number; what is set already is
 * replaced, but lists (NAME=VALUE,... and "input") grow.  A flag takes "yes".
 * Fails: DARC_USAGE for a name that the command does not have, and a value
 * outside its range; DARC_LIMIT for lack of memory; o is unchanged then. */
DARC_CHECKED darc_status darc_options_set(darc_options *o, const char *name,
                                          const char *value, darc_err *err);
DARC_CHECKED darc_status darc_options_number(darc_options *o, const char *name,
                                             double value, darc_err *err);

DARC_END_DECLS

#endif
