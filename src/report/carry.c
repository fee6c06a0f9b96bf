/* carry.c - reports on their way out of a child, a fork, so that strings of the
 * program, of the model and of the recordings are at their places here too.
 */
#include "report/campaign.h"
#include "report/report.h"

static void carry_names(darc_carrier *c, const darc_name_list *list)
{
    darc_carry_texts(c, (void *)&list->name, list->count);
}

static void carry_asked(darc_carrier *c, const darc_identified_function **list,
                        int n)
{
    darc_carry(c, list, (size_t)n * sizeof **list);
    for (int i = 0; i < n; i++)
        darc_carry_text(c, &(*list)[i].name);
}

void darc_carry_identified(darc_carrier *c, void *identified)
{
    darc_identified *x = identified;
    darc_carry_texts(c, &x->function, x->functions);
    darc_carry(c, &x->parameter, (size_t)x->parameters * sizeof *x->parameter);
    for (int i = 0; i < x->parameters; i++) {
        const darc_identified_parameter *p = x->parameter + i;
        darc_carry_text(c, &p->name);
        darc_carry(c, (void *)&p->explained_by,
                   (size_t)p->explanations * sizeof *p->explained_by);
        for (int k = 0; k < p->explanations; k++)
            carry_names(c, p->explained_by + k);
    }
    carry_asked(c, &x->state, x->states);
    carry_asked(c, &x->asks, x->asked);
    darc_carry(c, &x->scale, (size_t)x->scales * sizeof *x->scale);
    for (int i = 0; i < x->scales; i++) {
        darc_carry_text(c, &x->scale[i].name);
        darc_carry_text(c, &x->scale[i].stands_for);
    }
    darc_carry_text(c, &x->scaled);
}

static void carry_estimates(darc_carrier *c, const darc_estimate **list, int n)
{
    n = n > 0 ? n : 0; /* values: -1 */
    darc_carry(c, list, (size_t)n * sizeof **list);
    for (int i = 0; i < n; i++) {
        darc_carry_text(c, (void *)&(*list)[i].function);
        darc_carry_text(c, (void *)&(*list)[i].unit);
    }
}

static void carry_notes(darc_carrier *c, const char *const **note,
                        const bool **detail, int n)
{
    darc_carry_texts(c, note, n);
    darc_carry(c, detail, (size_t)n * sizeof **detail);
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
    darc_carry(c, (void *)&r->missing_term,
               (size_t)r->missing * sizeof *r->missing_term);
    for (int i = 0; i < r->missing; i++)
        darc_carry_text(c, (void *)&r->missing_term[i].term);
    if (r->series == NULL)
        return;
    darc_carry(c, (void *)&r->series, sizeof *r->series);
    carry_series(c, (darc_residual_series *)r->series);
}

static void carry_overlay(darc_carrier *c, const darc_overlay *o)
{
    darc_carry_text(c, (void *)&o->output);
    darc_carry_text(c, (void *)&o->unit);
    darc_carry(c, (void *)&o->time, o->count * sizeof *o->time);
    darc_carry(c, (void *)&o->simulated, o->count * sizeof *o->simulated);
}

void darc_carry_report(darc_carrier *c, darc_report *r)
{
    darc_carry(c, &r->data, (size_t)r->recordings * sizeof *r->data);
    darc_carry(c, &r->relation, (size_t)r->relations * sizeof *r->relation);
    for (int i = 0; i < r->relations; i++)
        carry_relation(c, r->relation + i);
    carry_estimates(c, &r->estimate, r->estimates);
    carry_estimates(c, &r->value, r->values);
    carry_notes(c, &r->note, &r->detail, r->notes);
    darc_carry(c, &r->noise, (size_t)r->noises * sizeof *r->noise);
    for (int i = 0; i < r->noises; i++)
        darc_carry_text(c, (void *)&r->noise[i].signal);
    darc_carry_texts(c, &r->held, r->helds);
    darc_carry(c, &r->stretch, (size_t)r->stretches * sizeof *r->stretch);
    for (int i = 0; i < r->stretches; i++)
        if (r->stretch[i].change != NULL)
            darc_carry(c, (void *)&r->stretch[i].change,
                       (size_t)r->functions * sizeof(darc_change));
    darc_carry_texts(c, &r->function, r->functions);
    darc_carry(c, &r->overlay, (size_t)r->overlays * sizeof *r->overlay);
    for (int i = 0; i < r->overlays; i++)
        carry_overlay(c, r->overlay + i);
    darc_carry(c, &r->profile, (size_t)r->profiles * sizeof *r->profile);
    for (int i = 0; i < r->profiles; i++)
        darc_carry_text(c, &r->profile[i].name);
}

void darc_carry_isolation(darc_carrier *c, darc_isolation *r)
{
    darc_carry(c, &r->data, (size_t)r->recordings * sizeof *r->data);
    darc_carry(c, &r->candidate, (size_t)r->candidates * sizeof *r->candidate);
    for (int i = 0; i < r->candidates; i++) {
        const darc_suspect *s = r->candidate + i;
        carry_names(c, &s->changed);
        darc_carry(c, (void *)&s->equivalent,
                   (size_t)s->equivalents * sizeof *s->equivalent);
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
    darc_carry(c, &p->test, (size_t)p->tests * sizeof *p->test);
    for (int k = 0; k < p->tests; k++) {
        const darc_planned_test *t = p->test + k;
        darc_carry_text(c, &t->input);
        darc_carry_text(c, &t->failure);
        if (t->failure != NULL)
            continue;
        darc_carry(c, (void *)&t->found,
                   (size_t)p->functions * sizeof *t->found);
        for (int i = 0; i < p->functions; i++)
            darc_carry_text(c, &t->found[i].function);
        darc_carry(c, (void *)&t->apart, (size_t)p->pairs * sizeof *t->apart);
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
    darc_carry(c, &f->parameter, (size_t)f->parameters * sizeof *f->parameter);
    for (int i = 0; i < f->parameters; i++) {
        darc_carry_text(c, &f->parameter[i].name);
        darc_carry_text(c, &f->parameter[i].formula);
    }
    darc_carry_texts(c, &f->condition, f->conditions);
    darc_carry_texts(c, &f->relation, f->relations);
}

static void carry_recordings(darc_carrier *c, darc_campaign *x)
{
    size_t n = (size_t)x->recordings;
    darc_carry(c, &x->recording, n * sizeof *x->recording);
    for (size_t i = 0; i < n; i++) {
        darc_campaign_recording *r = (darc_campaign_recording *)x->recording;
        darc_carry_text(c, &r[i].file);
        darc_carry_text(c, &r[i].damage);
        if (r[i].change != NULL)
            darc_carry(c, &r[i].change,
                       (size_t)x->functions * sizeof *r[i].change);
    }
    darc_carry(c, &x->held_against, n * sizeof *x->held_against);
    if (x->group != NULL)
        darc_carry_texts(c, &x->group, x->recordings);
}

void darc_carry_campaign(darc_carrier *c, darc_campaign *x)
{
    size_t trends = (size_t)x->trends;
    carry_recordings(c, x);
    darc_carry_texts(c, &x->function, x->functions);
    darc_carry(c, &x->relation, (size_t)x->functions * sizeof *x->relation);
    darc_carry(c, &x->point, (size_t)x->points * sizeof *x->point);
    darc_carry(c, &x->trend, trends * sizeof *x->trend);
    darc_carry(c, &x->trend_baseline, trends * sizeof *x->trend_baseline);
    darc_carry(c, &x->slope, (size_t)x->slopes * sizeof *x->slope);
    darc_carry(c, &x->doubt, (size_t)x->doubts * sizeof *x->doubt);
    carry_notes(c, &x->note, &x->detail, x->notes);
}
