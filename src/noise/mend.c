#include "base/mem.h"
#include "noise/angles.h"
#include "noise/faults.h"
#include "noise/levels.h"
#include "noise/spikes.h"

#include <math.h>

/* Let samples that are value, a code, or zeros become gaps. */
static void empty(double *y, size_t n, double value)
{
    for (size_t i = 0; i < n; i++)
        if (y[i] == value)
            y[i] = NAN;
}

static void replace_spikes(darc_table *t, int signal)
{
    size_t *at;
    double *value;
    size_t n = darc_faults_outliers(&at, &value, t, signal);
    for (size_t k = 0; k < n; k++)
        t->signal[signal].value[at[k]] = value[k];
    darc_free(at);
    darc_free(value);
}

static const char *done(const darc_fault *f, bool computed)
{
    switch (f->kind) {
    case DARC_FAULT_CODE:
    case DARC_FAULT_ZEROS:
        return ": gaps";
    case DARC_FAULT_WRAPPED:
        return ": it goes on over them";
    case DARC_FAULT_OUTLIERS:
        return computed ? NULL : ", each put on the course of its neighbours";
    case DARC_FAULT_STUCK:
    case DARC_FAULT_CLIPPED:
        return computed ? NULL
                        : ": no model explains that; leave these samples out "
                          "(empty cells), or do not trust the verdict";
    default:
        return NULL;
    }
}

/* Return whether there are gaps now that were none. */
static bool mend(darc_table *t, int signal, bool computed)
{
    darc_fault list[DARC_FAULT_KINDS];
    bool gaps = false;
    int n = darc_faults_find(list, t, signal);
    double *y = t->signal[signal].value;
    for (int k = 0; k < n; k++) {
        const char *what = done(list + k, computed);
        darc_text_t text = DARC_TEXT;
        bool missing =
            list[k].kind == DARC_FAULT_CODE || list[k].kind == DARC_FAULT_ZEROS;
        if (what == NULL)
            continue;
        darc_fault_say(text, list + k);
        darc_table_remark(t, "'%s': %s%s", t->signal[signal].name, text->s,
                          what);
        darc_text_clear(text);
        if (list[k].kind == DARC_FAULT_OUTLIERS)
            replace_spikes(t, signal);
        if (list[k].kind == DARC_FAULT_WRAPPED)
            darc_angle_unwrap(y, t->samples, list[k].value,
                              darc_spikes_sd(y, t->samples));
        if (missing)
            empty(y, t->samples, list[k].value);
        gaps = gaps || missing;
    }
    return gaps;
}

void darc_faults_mend(darc_table *t, const bool *computed, const bool *held)
{
    bool gaps = false;
    if (t->spool != NULL)
        return;
    for (int i = 0; i < t->signals; i++)
        for (int round = 0; round < 3; round++) {
            bool more = mend(t, i, computed != NULL && computed[i]);
            gaps = gaps || more;
            if (!more)
                break;
        }
    if (gaps)
        darc_table_find_segments(t, HUGE_VAL);
    for (int i = 0; i < t->signals; i++)
        if (held != NULL && held[i])
            darc_levels_average(t, i);
}
