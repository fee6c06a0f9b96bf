/* credibility.c - an assessed factor space (darc/compare.h). */
#include "agree/credibility.h"

#include "base/mem.h"
#include "darc/compare.h"
#include "page/page.h"
#include "report/agreement.h"
#include "session/settings.h"

#include <string.h>

typedef struct {
    darc_credibility shown; /* first: what the caller sees */
    darc_options options;   /* a copy */
    darc_factor_space space;
    darc_text_t text;
} assessment;

static void show(assessment *a)
{
    size_t n = (size_t)a->space.factors;
    darc_factor_credibility *list = darc_calloc(n, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        const darc_factor *f = &a->space.factor[i];
        list[i] = (darc_factor_credibility){f->name,        f->similarity,
                                            f->credibility, f->acceptable,
                                            f->defect,      f->origin};
    }
    a->shown =
        (darc_credibility){darc_credibility_verdict(&a->space), (int)n, list};
}

darc_status darc_assess(darc_credibility **c, const char *file,
                        const darc_options *options, darc_err *err)
{
    assessment *a = darc_calloc(1, sizeof *a);
    darc_options_copy(&a->options, options, DARC_CMD_CREDIBILITY);
    darc_text_init(a->text);
    darc_status status = darc_credibility_read(&a->space, file, err);
    if (status == DARC_OK)
        status = darc_credibility_assess(&a->space, err);
    if (status != DARC_OK) {
        darc_credibility_free(&a->shown);
        return status;
    }
    show(a);
    *c = &a->shown;
    return DARC_OK;
}

void darc_credibility_free(darc_credibility *c)
{
    assessment *a = (assessment *)c;
    if (a == NULL)
        return;
    darc_free((void *)c->factor);
    darc_credibility_clear(&a->space);
    darc_options_clear(&a->options);
    darc_text_clear(a->text);
    darc_free(a);
}

const char *darc_credibility_text(darc_credibility *c, const char *format)
{
    assessment *a = (assessment *)c;
    darc_text_reset(a->text);
    if (strcmp(format, "text") == 0)
        darc_tracing_print(a->text, &a->space,
                           darc_option_given(&a->options, DARC_OPT_QUIET));
    else if (strcmp(format, "json") == 0)
        darc_tracing_json(a->text, &a->space);
    else if (strcmp(format, "html") != 0)
        return NULL;
    if (a->text->len > 0)
        return a->text->s;
    darc_page page;
    darc_settings_page(&page, &a->options);
    darc_page_tracing(a->text, &a->space, &page);
    darc_settings_clear(&page);
    return a->text->s;
}
