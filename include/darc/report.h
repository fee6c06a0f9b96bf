/* report.h - what a question to recordings found: verdict and evidence.
 *
 * The library makes these structs and hands them out by pointer; they and all
 * that they point to belong to it, and are valid until the object that they
 * came from is asked again or freed.  Numbers that do not exist are NAN;
 * fractions are fractions (0.02 = 2 %).  Later versions may append members to
 * darc_report and darc_isolation; the others change with the soname alone.
 */
#ifndef DARC_REPORT_H
#define DARC_REPORT_H

#include "darc/status.h"

#include <stdbool.h>
#include <stddef.h>

DARC_BEGIN_DECLS

typedef enum {
    DARC_CONSISTENT,
    DARC_INCONSISTENT,
    DARC_UNDECIDED
} darc_verdict;

/* Return "consistent", "inconsistent" or "undecided". */
const char *darc_verdict_text(darc_verdict verdict);

typedef enum {
    DARC_STRUCTURE, /* one recording: can the equations produce it? */
    DARC_EQUAL,     /* two: with the same parameters? */
    DARC_CHANGED    /* two: with none changed but certain parameters? */
} darc_test;

/* A decision with its evidence. */
typedef struct {
    const char *method; /* "weak" or "pointwise"; static */
    double statistic;   /* NAN where there is none; so below */
    double dof;
    double p_value;
    double alpha;
    double defect, defect_low, defect_high; /* fractions */
    double tolerance;
    double detectable; /* smallest defect found with power 0.9 */
    const char *noise; /* taken as "white" (shown, measured or said to be), or
                          of "any" colour; NULL: of no matter; static */
    darc_verdict verdict;
    char reason[512]; /* plain words, without a full stop */
} darc_decision;

/* A residual over the samples used. */
typedef struct {
    double rms, max;     /* unit of the relation */
    double relative_rms; /* RMS(r) / RMS(sum of |terms|) */
    size_t used;         /* samples */
    char unit[128];
} darc_residual_summary;

/* A residual at each of count samples, in order; to be read only. */
typedef struct {
    size_t count;
    struct darc_spool *spool; /* where the arrays lie; the library's own */
    double *time;             /* of recording A, s */
    double *value;            /* residual, in the unit of the relation */
    double *bar;              /* its error: one standard deviation of noise,
                                 truncation, rounding */
    double *margin;           /* least |f| over its error of an inequation f;
                                 NAN: there is none; below 1 it may vanish */
} darc_residual_series;

/* An identifiable function of the parameters as estimated. */
typedef struct {
    char *function;       /* "c/m" */
    double value_a, sd_a; /* recording A */
    double value_b, sd_b; /* recording B; NAN where there is none */
    double low_a, high_a; /* of a value, its interval at level 1 - alpha */
    double low_b, high_b;
    char *unit; /* NULL: not known */
    bool local; /* other values explain the recordings as well */
} darc_estimate;

/* A term that may be missing from the equations. */
typedef struct {
    char *term;      /* "z^3" */
    double p_value;  /* after Holm's correction */
    double explains; /* fraction of the excess of Q, 0 .. 1 */
    double value;    /* of its coefficient, over that of the leading part */
    double sd;
} darc_missing_term;

/* At a frequency, Hz, and how strong over the RMS of the signal. */
typedef struct {
    double hz, level;
} darc_noise_point;

enum { DARC_NOISE_LINES = 4, DARC_NOISE_POINTS = 10 };

/* The noise of a signal as it was found. */
typedef struct {
    const char *signal;
    double level; /* standard deviation over the RMS of the signal, as the
                     spectrum above its band shows it, or as given */
    bool grows;   /* it is stronger where the signal is */
    bool heavy;   /* its tails are: outliers */
    int lines;
    darc_noise_point line[DARC_NOISE_LINES]; /* hum; level: its RMS */
    int points; /* of the spectrum, high frequencies first: that of white noise
                   as strong; 0: it was taken as white */
    darc_noise_point spectrum[DARC_NOISE_POINTS];
} darc_noise_found;

/* A recording as it was used. */
typedef struct {
    const char *file;
    size_t samples; /* rows kept */
    double rate;    /* Hz; NAN: non-uniform */
    size_t used;    /* samples with a residual */
} darc_report_data;

/* A relation that was held against data, and what came of it. */
typedef struct {
    const char *form;     /* "expanded", "matrix", "io" */
    long terms;           /* of the expanded or io form; entries of the
                             matrix form */
    int order;            /* highest derivative */
    const char *equation; /* in the model language */
    const char *weak;     /* the io-equation in total derivatives, on which
                             the weak form decides; NULL: pointwise */
    int inequations;
    const char *const *inequation; /* what must not vanish */
    darc_residual_summary residual;
    const char *plot; /* of |residual| over time, one line; NULL: none */
    const darc_residual_series *series; /* NULL: not kept */
    int missing;
    const darc_missing_term *missing_term; /* likeliest first */
    bool untested; /* nothing is left to test: decides only if all are so */
    bool joint;    /* the decision is on several relations together */
    darc_decision decision;
} darc_report_relation;

/* How a function of the parameters in one recording, or stretch of it, is
 * against another. */
typedef struct {
    double value, sd;
    double relative; /* (value - baseline) / baseline; for a coefficient that
                        may be zero, the difference as a share of the leading
                        term */
    double relative_sd;
    double p_value; /* that it is the baseline's, after Holm */
    bool moved;
} darc_change;

/* A stretch of a recording on which one set of parameters holds. */
typedef struct {
    double from, to;           /* s */
    darc_verdict verdict;      /* on the structure there */
    const darc_change *change; /* of each function, against the stretch before;
                                  NULL: the first */
} darc_stretch;

/* An output as simulated with the values found and the recording's inputs, over
 * the longest stretch without gaps. */
typedef struct {
    const char *file;
    char *output, *unit;
    double fit_percent; /* 100 (1 - |measured - simulated| / |measured - mean|)
                         */
    size_t count;
    double *time; /* s */
    const double *measured;
    double *simulated;
} darc_overlay;

enum { DARC_PROFILE_POINTS = 32 }; /* of a profile, at most */

/* The profile likelihood of a parameter: what the logarithm of the likelihood
 * falls by, twice, where the parameter has that value and all others their best
 * one.  It is 0 at the best value and `limit` at the ends of the interval. */
typedef struct {
    const char *name;
    double limit;
    int points; /* values ascend */
    double value[DARC_PROFILE_POINTS], fall[DARC_PROFILE_POINTS];
} darc_profile_curve;

/* One of several recordings, held against the equations by itself. */
typedef struct {
    const char *file;
    darc_decision decision; /* at alpha over the number of recordings */
} darc_report_each;

/* What a check found. */
typedef struct {
    const char *command;      /* "check" */
    const char *test;         /* "structure", "equal", "changed" */
    const char *command_line; /* of the program; "" from the library */
    const char *model_name, *model_file;
    const char *changed; /* "m,c", or NULL */
    int recordings;
    const darc_report_data *data;
    int relations; /* 0: there was no check */
    const darc_report_relation *relation;
    int deciding;           /* index of the relation that decides */
    darc_decision decision; /* on all */
    int estimates;
    const darc_estimate *estimate;
    int values; /* of parameters and identifiable functions of them, in units;
                   0: not sought, the estimates stand for them; -1: the
                   recordings do not allow any */
    const darc_estimate *value;
    int notes; /* things the user should know */
    const char *const *note;
    const bool *detail; /* of each note: of interest to experts */
    int noises; /* of each measured signal that has some, of recording A */
    const darc_noise_found *noise;
    int helds; /* signals that were taken as held between samples */
    const char *const *held;
    int stretches; /* 0: not asked for, or not known */
    const darc_stretch *stretch;
    int functions;
    const char *const *function; /* that changes of stretches are of */
    int overlays;                /* 0: not asked for, or there can be none */
    const darc_overlay *overlay;
    int eaches; /* structure of several recordings: as many, and all above is of
                   the one that decides but for the decision; else 0 */
    const darc_report_each *each;
    int profiles; /* of parameters, by trajectories; else 0 */
    const darc_profile_curve *profile;
} darc_report;

/* Names, as of parameters: {"m", "c"}. */
typedef struct {
    int count;
    const char *const *name;
} darc_name_list;

/* A set of parameters whose change, and no other, may explain how two
 * recordings differ. */
typedef struct {
    darc_name_list changed;
    darc_decision decision; /* that all others are the same */
    bool free;              /* explains any pair: nothing is tested */
    int equivalents;        /* other sets that no recording can tell from it */
    const darc_name_list *equivalent;
} darc_suspect;

/* What an isolation found. */
typedef struct {
    const char *command_line; /* of the program; "" from the library */
    const char *model_name, *model_file;
    const darc_report_data *data;
    darc_decision equal; /* on equal parameters; its reason says what
                            was found */
    int candidates;
    const darc_suspect *candidate; /* consistent first, then undecided, then
                                        rejected ones */
    int diagnosis;         /* the first `diagnosis` candidates: what changed */
    darc_verdict verdict;  /* consistent: one diagnosis, or no change;
                              undecided: several; inconsistent: no set explains
                              the recordings */
    darc_name_list unseen; /* parameters that show in no signal */
    int estimates;
    const darc_estimate *estimate;
    int values; /* as of a check */
    const darc_estimate *value;
    int notes;
    const char *const *note;
    const bool *detail; /* of each note: of interest to experts */
    int recordings;     /* that data are of: by trajectories more than two */
} darc_isolation;

DARC_END_DECLS

#endif
