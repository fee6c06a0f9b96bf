#include "library/member.h"

#include "base/mem.h"
#include "eliminate/member.h"
#include "emit/json.h"
#include "emit/parts.h"

#include <string.h>

darc_status darc_member_find(darc_elimination *e, const darc_model *model,
                             const darc_options *options,
                             const darc_budget *budget, darc_err *err)
{
    darc_membership m;
    darc_inequation *list = NULL;
    size_t n = 0;
    darc_status status = darc_membership_init(
        &m, model, darc_option_text(options, DARC_OPT_MEMBER),
        darc_option_text(options, DARC_OPT_RANKING), budget, err);
    if (status == DARC_OK) {
        darc_member *member = darc_calloc(1, sizeof *member);
        *member = (darc_member){m.vanishes, darc_text_take(m.factor),
                                darc_text_take(m.rest)};
        e->member = member;
    }
    for (const char *s = m.inequations->s; status == DARC_OK && *s != '\0';) {
        size_t length = strcspn(s, "\n");
        DARC_APPEND(list, n, (darc_inequation){darc_strndup(s, length), 0});
        s += length + 1;
    }
    e->inequation = list;
    e->inequations = (int)n;
    darc_membership_clear(&m);
    return status;
}

void darc_member_put(darc_text_t out, const darc_elimination *e,
                     const darc_options *options, const darc_emit *how)
{
    static const char *const says[] = {
        [DARC_TRUE] = "it vanishes on all solutions",
        [DARC_FALSE] = "it does not vanish on all solutions; its normal form",
        [DARC_UNKNOWN] = "undecided, since functions in the model obey laws of "
                         "their own; what is left of it"};
    const darc_member *m = e->member;
    const char *expression = darc_option_text(options, DARC_OPT_MEMBER);
    bool json = how->format == DARC_FORMAT_JSON,
         bare = strcmp(m->factor, "1") == 0;
    const char **list = darc_calloc((size_t)e->inequations + 1, sizeof *list);
    if (!json)
        darc_emit_comment(out, how, "%s%s\n", says[m->vanishes],
                          e->inequations > 0 ? ", where" : "");
    for (int i = 0; i < e->inequations; i++) {
        list[i] = e->inequation[i].polynomial;
        if (!json)
            darc_emit_comment(out, how, "%s != 0\n", list[i]);
    }
    if (json) {
        darc_json j;
        darc_emit_json_begin(&j, out, how);
        darc_json_put(&j, "member{" DARC_JSON_MEMBER "} inequations:a",
                      expression, m->vanishes, m->factor, m->normal_form, list,
                      e->inequations);
        darc_json_end(&j);
    } else {
        darc_text_printf(out, "%s%s(%s) = %s\n", bare ? "" : m->factor,
                         bare ? "" : "*", expression, m->normal_form);
    }
    darc_free((void *)list);
}
