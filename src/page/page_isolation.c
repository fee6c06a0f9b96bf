/* page_isolation.c - the page of an isolation: which parameter changed. */
#include "page/page.h"

#include "page/evidence.h"

#include <math.h>

static void put_list(darc_text_t out, const darc_name_list *s)
{
    for (int i = 0; i < s->count; i++)
        darc_html_put(out, i > 0 ? " and %m" : "%m", s->name[i]);
}

/* "m, or c and d" as plain text. */
static void diagnosis_text(darc_text_t out, const darc_isolation *r)
{
    if (r->equal.verdict != DARC_INCONSISTENT) {
        darc_text_puts(out, r->equal.reason);
        return;
    }
    if (r->diagnosis == 0) {
        darc_text_puts(out, "no set of parameters explains the change");
        return;
    }
    for (int i = 0; i < r->diagnosis; i++) {
        const darc_name_list *set = &r->candidate[i].changed;
        darc_text_puts(out, i > 0 ? ", or " : "");
        for (int k = 0; k < set->count; k++)
            darc_text_printf(out, "%s%s", k > 0 ? " and " : "", set->name[k]);
    }
    darc_text_puts(out, " changed");
    if (r->diagnosis > 1)
        darc_text_puts(out, "; the recordings do not tell which");
}

static void put_candidate(darc_text_t out, const darc_suspect *c,
                          bool diagnosed)
{
    darc_html_put(out, "<tr%h><th scope=\"row\">",
                  diagnosed ? " class=\"lead\"" : "");
    put_list(out, &c->changed);
    darc_html_put(out, "</th><td>%h</td><td>%t</td><td class=\"n\">",
                  diagnosed ? "<b>yes</b>" : "no",
                  DARC_TAG(c->decision.verdict));
    darc_evidence_p_value(out, c->decision.p_value);
    darc_text_puts(out, "</td><td class=\"n\">");
    if (isfinite(c->decision.defect))
        darc_html_put(out, "%p", c->decision.defect);
    darc_text_puts(out, "</td><td>");
    for (int i = 0; i < c->equivalents; i++) {
        darc_text_puts(out, i > 0 ? " or " : "");
        put_list(out, &c->equivalent[i]);
    }
    darc_html_put(out, "%h</td></tr>\n",
                  c->free               ? "any change: nothing is tested"
                  : c->equivalents == 0 ? "\u2013"
                                        : "");
}

static void put_candidates(darc_sheet *s, const darc_isolation *x)
{
    darc_sheet_section(s, "candidates", "Candidates and isolability");
    if (x->candidates == 0)
        darc_text_puts(s->out, "<p>There is no change to explain, so no set "
                               "of parameters is tested.</p>\n");
    else {
        darc_text_puts(
            s->out,
            "<p class=\"note\">A set is a candidate if a change of its "
            "parameters alone could explain how the recordings differ. Small "
            "sets are tested first; larger ones only if all smaller ones are "
            "rejected.</p>\n");
        darc_sheet_table(s->out, NULL,
                         "Changed alone|Diagnosis|Verdict|#p-value|#Others "
                         "would move|No data can tell it from");
    }
    for (int i = 0; i < x->candidates; i++)
        put_candidate(s->out, &x->candidate[i], i < x->diagnosis);
    if (x->candidates > 0)
        darc_sheet_table_end(s->out);
    for (int i = 0; i < x->unseen.count; i++)
        darc_html_put(s->out,
                      "<p class=\"note\">A change of %s shows in no signal."
                      "</p>\n",
                      x->unseen.name[i]);
}

void darc_page_isolation(darc_text_t out, const darc_isolation *r,
                         const darc_page *p)
{
    darc_text_t sentence = DARC_TEXT;
    diagnosis_text(sentence, r);
    darc_sheet_head head = {"isolate", r->model_name, darc_tone_of(r->verdict),
                            r->equal.verdict == DARC_CONSISTENT  ? "no change"
                            : r->equal.verdict == DARC_UNDECIDED ? "undecided"
                            : r->diagnosis == 0                  ? "unexplained"
                            : r->verdict == DARC_CONSISTENT      ? "isolated"
                                                                 : "undecided",
                            sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, darc_evidence_curves(p));
    darc_html_put(out,
                  "<p class=\"asked\">Which parameters changed between "
                  "<b>%s</b> (A) and <b>%s</b> (B)?</p>\n",
                  darc_evidence_file(r->data, 2, 0),
                  darc_evidence_file(r->data, 2, 1));
    darc_sheet_notes(out, r->note, r->notes);
    put_candidates(&s, r);
    darc_sheet_section(&s, "equal", "Are all parameters equal?");
    darc_html_put(out, "<p>%t: %s</p>\n", DARC_TAG(r->equal.verdict),
                  r->equal.reason);
    darc_evidence_decision(out, &r->equal);
    bool known = r->values != 0;
    darc_evidence_estimates(&s, known ? r->value : r->estimate,
                            known ? r->values : r->estimates, true,
                            r->equal.alpha);
    darc_evidence_data(&s, p, r->data, 2);
    const char *file[] = {r->model_file, r->data[0].file, r->data[1].file};
    darc_sheet_end(&s, "isolate", file, 3, p);
    darc_text_clear(sentence);
}
