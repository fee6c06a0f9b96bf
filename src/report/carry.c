/* carry.c - reports on their way out of a child, a fork, so that strings of the
 * program, of the model and of the recordings are at their places here too.
 */
#include "report/campaign.h"
#include "report/report.h"

static void carry_names(darc_carrier *c, const darc_name_list *list)
{
    darc_carry_texts(c, (void *)&list->name, list->count);
}

void darc_carry_identified(darc_carrier *c, void *identified)
{
    darc_identified *x = identified;
    darc_carry_texts(c, &x->function, x->functions);
    DARC_CARRY(c, x->parameter, x->parameters);
    for (int i = 0; i < x->parameters; i++) {
        const darc_identified_parameter *p = x->parameter + i;
        darc_carry_text(c, &p->name);
        DARC_CARRY(c, p->explained_by, p->explanations);
        for (int k = 0; k < p->explanations; k++)
            carry_names(c, p->explained_by + k);
    }
    DARC_CARRY_WITH(c, x->state, x->states, name);
    DARC_CARRY_WITH(c, x->asks, x->asked, name);
    DARC_CARRY_WITH(c, x->scale, x->scales, name, stands_for);
    darc_carry_text(c, &x->scaled);
}

static void carry_estimates(darc_carrier *c, const darc_estimate **list, int n)
{
    n = n > 0 ? n : 0; /* values: -1 */
    DARC_CARRY_WITH(c, *list, n, function, unit);
}

static void carry_notes(darc_carrier *c, const char *const **note,
                        const bool **detail, int n)
{
    darc_carry_texts(c, note, n);
    DARC_CARRY(c, *detail, n);
}

static void carry_series(darc_carrier *c, darc_residual_series *s)
{
    double **column[] = {&s->time, &s->value, &s->bar, &s->margin};
    for (int i = 0; i < 4; i++)
        if (*column[i] != NULL)
            darc_carry(c, column[i], s->count * sizeof(double));
}

static void carry_relation(darc_carrier *c, const darc_report_relation *r)
{
    darc_carry_text(c, &r->equation);
    darc_carry_text(c, &r->weak);
    darc_carry_texts(c, (void *)&r->inequation, r->inequations);
    darc_carry_text(c, &r->plot);
    DARC_CARRY_WITH(c, r->missing_term, r->missing, term);
    if (r->series == NULL)
        return;
    darc_carry(c, (void *)&r->series, sizeof *r->series);
    carry_series(c, (darc_residual_series *)r->series);
}

void darc_carry_report(darc_carrier *c, darc_report *r)
{
    DARC_CARRY(c, r->data, r->recordings);
    DARC_CARRY(c, r->relation, r->relations);
    for (int i = 0; i < r->relations; i++)
        carry_relation(c, r->relation + i);
    carry_estimates(c, &r->estimate, r->estimates);
    carry_estimates(c, &r->value, r->values);
    carry_notes(c, &r->note, &r->detail, r->notes);
    DARC_CARRY_WITH(c, r->noise, r->noises, signal);
    darc_carry_texts(c, &r->held, r->helds);
    DARC_CARRY(c, r->stretch, r->stretches);
    for (int i = 0; i < r->stretches; i++)
        if (r->stretch[i].change != NULL)
            darc_carry(c, (void *)&r->stretch[i].change,
                       (size_t)r->functions * sizeof(darc_change));
    darc_carry_texts(c, &r->function, r->functions);
    DARC_CARRY_WITH(c, r->overlay, r->overlays, output, unit);
    for (int i = 0; i < r->overlays; i++) {
        const darc_overlay *o = r->overlay + i;
        DARC_CARRY(c, o->time, o->count);
        DARC_CARRY(c, o->simulated, o->count);
    }
    DARC_CARRY_WITH(c, r->profile, r->profiles, name);
}

void darc_carry_isolation(darc_carrier *c, darc_isolation *r)
{
    DARC_CARRY(c, r->data, r->recordings);
    DARC_CARRY(c, r->candidate, r->candidates);
    for (int i = 0; i < r->candidates; i++) {
        const darc_suspect *s = r->candidate + i;
        carry_names(c, &s->changed);
        DARC_CARRY(c, s->equivalent, s->equivalents);
        for (int k = 0; k < s->equivalents; k++)
            carry_names(c, s->equivalent + k);
    }
    carry_names(c, &r->unseen);
    carry_estimates(c, &r->estimate, r->estimates);
    carry_estimates(c, &r->value, r->values);
    carry_notes(c, &r->note, &r->detail, r->notes);
}

void darc_carry_planned(darc_carrier *c, void *planned)
{
    darc_planned *p = planned;
    darc_carry_text(c, &p->command_line);
    darc_carry_text(c, &p->file);
    darc_carry_texts(c, &p->note, p->notes);
    DARC_CARRY(c, p->test, p->tests);
    for (int k = 0; k < p->tests; k++) {
        const darc_planned_test *t = p->test + k;
        darc_carry_text(c, &t->input);
        darc_carry_text(c, &t->failure);
        if (t->failure != NULL)
            continue;
        DARC_CARRY(c, t->found, p->functions);
        for (int i = 0; i < p->functions; i++)
            darc_carry_text(c, &t->found[i].function);
        DARC_CARRY(c, t->apart, p->pairs);
    }
}

void darc_carry_fulfilled(darc_carrier *c, void *fulfilled)
{
    darc_fulfilled *f = fulfilled;
    const char **text[] = {
        &f->command_line, &f->model_name,   &f->model_file,
        &f->target_name,  &f->target_file,  &f->modes,
        &f->certificate,  &f->defect_input, &f->defect_output};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        darc_carry_text(c, text[i]);
    DARC_CARRY_WITH(c, f->parameter, f->parameters, name, formula);
    darc_carry_texts(c, &f->condition, f->conditions);
    darc_carry_texts(c, &f->relation, f->relations);
}

static void carry_recordings(darc_carrier *c, darc_campaign *x)
{
    size_t n = (size_t)x->recordings;
    DARC_CARRY_WITH(c, x->recording, n, file, damage);
    for (size_t i = 0; i < n; i++)
        if (x->recording[i].change != NULL)
            DARC_CARRY(c, x->recording[i].change, x->functions);
    DARC_CARRY(c, x->held_against, n);
    if (x->group != NULL)
        darc_carry_texts(c, &x->group, x->recordings);
}

void darc_carry_campaign(darc_carrier *c, darc_campaign *x)
{
    size_t trends = (size_t)x->trends;
    carry_recordings(c, x);
    darc_carry_texts(c, &x->function, x->functions);
    DARC_CARRY(c, x->relation, x->functions);
    DARC_CARRY(c, x->point, x->points);
    DARC_CARRY(c, x->trend, trends);
    DARC_CARRY(c, x->trend_baseline, trends);
    DARC_CARRY(c, x->slope, x->slopes);
    DARC_CARRY(c, x->doubt, x->doubts);
    carry_notes(c, &x->note, &x->detail, x->notes);
}
