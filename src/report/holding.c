#include "report/holding.h"

#include "base/mem.h"
#include "report/measure.h"

#include <math.h>

const char *darc_holding_keep(darc_holding *h, darc_text_t t)
{
    h->text = darc_realloc(h->text, (size_t)h->texts + 1, sizeof *h->text);
    h->text[h->texts] = darc_text_take(t);
    return h->text[h->texts++];
}

/* "|_-_#_| |r| up to 0.03, 0 to 20 s" */
static const char *plot_line(darc_holding *h, const darc_residual_series *s,
                             int width, bool utf8)
{
    double top = 0;
    for (size_t k = 0; k < s->count; k++)
        if (isfinite(s->value[k]))
            top = fmax(top, fabs(s->value[k]));
    if (s->count == 0 || top == 0)
        return NULL;
    darc_text_t line = DARC_TEXT, legend = DARC_TEXT;
    darc_text_printf(legend, "  |r| from %g to %g s", s->time[0],
                     s->time[s->count - 1]);
    int cells = width - (int)legend->len;
    darc_sparkline(line, s->value, s->count, top, cells < 8 ? 8 : cells, utf8);
    darc_text_puts(line, legend->s);
    darc_text_clear(legend);
    return darc_holding_keep(h, line);
}

void darc_holding_plot(darc_holding *h, int width, bool utf8)
{
    for (int e = 0; e < h->count; e++)
        if (h->report[e].series != NULL)
            h->report[e].plot = plot_line(h, h->report[e].series, width, utf8);
}

void darc_holding_clear(darc_holding *h)
{
    DARC_ALL(darc_pointwise_clear, h->result, h->results);
    DARC_ALL(darc_judgement_clear, h->judgement, h->judgements);
    for (int i = 0; i < h->count; i++)
        darc_free((void *)h->report[i].inequation);
    DARC_FREE_EACH(h->text, h->texts);
    darc_stretches_clear(&h->stretches);
    DARC_FREE(h->stretch, h->missing, h->text, h->result, h->judgement,
              h->estimate, h->report);
    if (h->has_relations)
        darc_relations_clear(h->relations);
    *h = (darc_holding){0};
}
