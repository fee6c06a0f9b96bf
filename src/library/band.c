#include "library/band.h"

#include "base/mem.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

/* Are numbers there for all that is not sought? */
static darc_status check_numbers(darc_model *const model[2],
                                 bool *const sought[2], darc_err *err)
{
    for (int k = 0; k < 2; k++) {
        const darc_names_struct *names = darc_model_names(model[k]);
        for (int u = 0; u < names->count; u++)
            if (names->symbol[u].kind == DARC_PARAMETER && !sought[k][u])
                return darc_fail(err, DARC_USAGE,
                                 "--band: '%s' of %s needs a number, as "
                                 "--param %s=..., or is to be sought, with "
                                 "--free",
                                 names->symbol[u].name,
                                 darc_model_file(model[k]),
                                 names->symbol[u].name);
    }
    return DARC_OK;
}

darc_status darc_band_set(darc_fulfilled *s, const darc_options *o,
                          darc_model *const model[2], bool *const sought[2],
                          darc_err *err)
{
    const char *text = darc_option_text(o, DARC_OPT_BAND);
    char *end;
    s->low_hz = s->high_hz = s->defect = NAN;
    s->tolerance = darc_option_real(o, DARC_OPT_TOLERANCE);
    if (text == NULL)
        return !darc_option_given(o, DARC_OPT_TOLERANCE)
                   ? DARC_OK
                   : darc_fail(err, DARC_USAGE,
                               "--tolerance: a deviation needs frequencies; "
                               "add --band HZ0,HZ1");
    s->low_hz = strtod(text, &end);
    s->high_hz = *end == ',' ? strtod(end + 1, &end) : NAN;
    if (*end != '\0' || !(s->low_hz > 0 && s->high_hz > s->low_hz) ||
        !isfinite(s->high_hz))
        return darc_fail(err, DARC_USAGE,
                         "--band: '%s' is not two frequencies HZ0,HZ1 with "
                         "0 < HZ0 < HZ1",
                         text);
    return check_numbers(model, sought, err);
}

void darc_band_judge(darc_fulfilled *s, const darc_nearest *n)
{
    if (s->tolerance == 0)
        return;
    s->verdict = n->within         ? DARC_IS_FULFILLED
                 : n->none != NULL ? DARC_IS_IMPOSSIBLE
                                   : DARC_IS_OPEN;
    s->certificate = n->none != NULL ? darc_strdup(n->none) : NULL;
    s->reason =
        n->within ? "the nearest behaviour is stable, and within the tolerance "
                    "in all of the band"
        : n->none != NULL
            ? "whatever the parameters are, some frequency of the band exceeds "
              "the tolerance"
        : isnan(n->defect) ? "no parameters were found with a response"
        : !n->stable
            ? "the nearest behaviour found is not stable, or divides by 0"
        : n->defect > s->tolerance
            ? "the nearest behaviour found misses the target by more than the "
              "tolerance; no proof that none is nearer"
            : "that no frequency of the band exceeds the tolerance is not "
              "proved";
}
