/* settings.h - how a model is held against recordings: as numbers, and from
 * options; as a page tells them.
 */
#pragma once

#include "data/table.h"
#include "eliminate/eliminate.h"
#include "fit/regression.h"
#include "model/model.h"
#include "page/page.h"
#include "session/options.h"

typedef enum {
    DARC_METHOD_WEAK,
    DARC_METHOD_POINTWISE,
    DARC_METHOD_TRAJECTORY,
    DARC_METHOD_AUTO /* weak where it applies; trajectory, where the recording
                        is too short for that; else pointwise */
} darc_method;

/* How a model is held against recordings; strings may be NULL. */
typedef struct {
    darc_method method;
    double alpha;        /* false-alarm probability of one test */
    double tolerance;    /* defect that does not matter, a fraction */
    darc_engine engine;  /* of elimination */
    const char *ranking; /* "x1 x2 >> m c >> y"; NULL: the model's */
    const char *diff;    /* derivatives of the pointwise method */
    const char *changed; /* "m,c": what DARC_CHANGED lets differ */
    const char *against; /* "z^3,sign(z')": directed structure test */
    int noises;          /* known standard deviations, in the signals' unit */
    const char *const *noise_name;
    const double *noise_sd;
    int holds; /* signals that are constant from each sample to the next */
    const char *const *hold;
    int starts; /* states, "x" or "x'", whose initial values are known */
    const char *const *start_name;
    const double *start;
    unsigned long seed;     /* of draws */
    darc_assumption colour; /* of noise that is neither given nor measured */
    const char *noise_file; /* recording at rest: the noise of its signals;
                               NULL: none */
    darc_load_options load; /* of files; what is wanted is set by the session */
    int threads;            /* 0: all cores */
    bool over_time;         /* structure: stretches of the recording, too */
    bool overlay;           /* simulate with the values found */
    bool series;            /* keep the residual at every sample */
    bool rough; /* of values: how much is left counts, not what made it */
} darc_session_settings;

/* Set o to the defaults: auto, alpha .01, tolerance 0, central4. */
void darc_session_settings_init(darc_session_settings *o);

/* Settings that options ask for. */
typedef struct {
    darc_options options;      /* a copy */
    darc_session_settings set; /* points into what follows, and options */
    darc_pairs maps, scales, noises, holds, columns, starts;
    double *factor, *sd, *start; /* of scales, noises, starts; owned */
} darc_asked;

/* Set c from the options (NULL: the defaults of `command`).  model NULL: only
 * what reading recordings needs.
 * Fails: DARC_USAGE when map, scale or noise name what the model lacks, a
 * value is no number, or from lies behind to. */
DARC_STATUS darc_asked_init(darc_asked *c, const darc_model *model,
                            const darc_options *options, unsigned command,
                            darc_err *err);
void darc_asked_clear(darc_asked *c);

/* Return whether that is a format of answers: "text", "json", "html" or "svg",
 * the plots of the page. */
bool darc_settings_write(const char *format);

/* Set p to the command line and the settings of the options, for a page in
 * "html" or "svg"; clear it afterwards. */
void darc_settings_page(darc_page *p, const darc_options *o,
                        const char *format);
void darc_settings_clear(darc_page *p);
