#include "base/limits.h"
#include "derive/differ.h"

#include <string.h>

void darc_diff_spec_init(darc_diff_spec *spec)
{
    *spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
}

/* Read a number of at most five digits; return what follows, or NULL. */
static const char *read_number(const char *s, int *number)
{
    int digits = 0;
    for (*number = 0; *s >= '0' && *s <= '9'; s++) {
        *number = 10 * *number + (*s - '0');
        if (++digits > 5)
            return NULL;
    }
    return digits == 0 ? NULL : s;
}

static darc_status parse_fit(darc_diff_spec *spec, const char *text,
                             darc_err *err)
{
    int window, degree;
    const char *s = read_number(text + 3, &window);
    s = s == NULL || *s != ',' ? NULL : read_number(s + 1, &degree);
    if (s == NULL || *s != '\0')
        return darc_fail(err, DARC_DOMAIN,
                         "'%s' does not read sg:WINDOW,DEGREE", text);
    if (degree < 1 || degree > DARC_MAX_SG_DEGREE)
        return darc_fail(err, DARC_DOMAIN,
                         "'%s': the degree lies outside 1 .. %d", text,
                         DARC_MAX_SG_DEGREE);
    if (window % 2 == 0 || window <= degree || window > DARC_MAX_WINDOW)
        return darc_fail(err, DARC_DOMAIN,
                         "'%s': the window is not an odd number in %d .. %d",
                         text, degree + 1, DARC_MAX_WINDOW);
    *spec = (darc_diff_spec){
        .kind = DARC_DIFF_SG, .window = window, .degree = degree};
    return DARC_OK;
}

darc_status darc_diff_spec_parse(darc_diff_spec *spec, const char *text,
                                 darc_err *err)
{
    static const char *const central[] = {"central2", "central4", "central6"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, central[i]) == 0) {
            *spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL,
                                     .order = 2 * (i + 1)};
            return DARC_OK;
        }
    if (strncmp(text, "sg:", 3) == 0)
        return parse_fit(spec, text, err);
    return darc_fail(err, DARC_DOMAIN,
                     "'%s' is none of central2, central4, central6, "
                     "sg:WINDOW,DEGREE",
                     text);
}

darc_diff_spec darc_diff_spec_finer(const darc_diff_spec *spec)
{
    darc_diff_spec finer = *spec;
    if (spec->kind == DARC_DIFF_CENTRAL) {
        finer.order += 2;
        return finer;
    }
    finer.degree += 2;
    if (finer.window < finer.degree + 2)
        finer.window = finer.degree + 1 + finer.degree % 2;
    return finer;
}
