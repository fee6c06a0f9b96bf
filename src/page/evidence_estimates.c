/* evidence_estimates.c - identifiable functions of A against B. */
#include "page/evidence.h"
#include "page/svg.h"
#include "stats/stats.h"

static void put_estimate(darc_text_t out, const darc_estimate *e, bool two,
                         double z)
{
    double change, sd;
    darc_text_puts(out, "<tr><th scope=\"row\">");
    darc_mathml_or_code(out, e->function, NULL);
    darc_text_puts(out, "</th><td class=\"n\">");
    darc_html_measure(out, e->value_a, z * e->sd_a, false);
    if (two) {
        darc_text_puts(out, "</td><td class=\"n\">");
        darc_html_measure(out, e->value_b, z * e->sd_b, false);
        darc_text_puts(out, "</td><td class=\"n\">");
        darc_relative_change(&change, &sd, e);
        darc_html_measure(out, change, z * sd, true);
    }
    darc_text_puts(out, "</td></tr>\n");
}

void darc_evidence_estimates(darc_sheet *s, const darc_estimate *estimate,
                             int estimates, bool two, double alpha)
{
    double z = -darc_stats_normal_quantile(alpha / 2);
    if (estimates == 0)
        return;
    darc_sheet_section(s, "estimates", "Identifiable functions");
    darc_html_put(s->out,
                  "<p class=\"note\">What these recordings tell of the "
                  "parameters: functions of them, each with an interval of "
                  "%p. Single parameters that do not stand here cannot be "
                  "told.</p>\n<div class=\"scroll\"><table>\n<thead><tr><th "
                  "scope=\"col\">Function</th>",
                  1 - alpha);
    darc_text_puts(s->out, two ? "<th scope=\"col\" class=\"n\">A</th><th "
                                 "scope=\"col\" class=\"n\">B</th><th "
                                 "scope=\"col\" class=\"n\">Change</th>"
                               : "<th scope=\"col\" class=\"n\">Value</th>");
    darc_text_puts(s->out, "</tr></thead>\n<tbody>\n");
    for (int i = 0; i < estimates; i++)
        put_estimate(s->out, &estimate[i], two, z);
    darc_text_puts(s->out, "</tbody></table></div>\n");
    if (two)
        darc_figure_changes(s->out, estimate, estimates, alpha);
}
