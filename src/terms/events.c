#include "terms/events.h"

#include "base/mem.h"
#include "terms/thresholds.h"

#include <math.h>

/* Whether f takes unknown u for a staircase. */
static bool is_staircase(const darc_fit *f, int u)
{
    return f->r.held[u] == DARC_HELD_FOUND && f->r.signal[u].value != NULL &&
           f->r.noise[u].colour != DARC_COLOUR_COMPUTED;
}

/* Whether held unknown u changes at sample t, which is not the first. */
static bool changes(const darc_events *e, int u, size_t t)
{
    const double *v = e->r->signal[u].value;
    return v[t] != v[t - 1];
}

/* Whether most changes of the one of two unknowns that has fewer are at samples
 * where the other changes. */
static bool change_together(const darc_events *e, int u, int v)
{
    size_t of_u = 0, of_v = 0, both = 0;
    for (int i = 0; i < e->table->segments; i++) {
        darc_segment g = e->table->segment[i];
        for (size_t t = g.begin + 1; t < g.end; t++) {
            bool a = changes(e, u, t), b = changes(e, v, t);
            of_u += a;
            of_v += b;
            both += a && b;
        }
    }
    size_t fewer = of_u < of_v ? of_u : of_v;
    return (double)both > DARC_EVENTS_SHARED * (double)fewer;
}

static void find_companions(darc_events *e, const darc_fit *f)
{
    for (int u = 0; u < f->r.unknowns; u++) {
        e->with[u] = is_staircase(f, u) ? u : -1;
        for (int v = 0; v < u && e->with[u] == u; v++)
            if (e->with[v] == v && change_together(e, u, v))
                e->with[u] = v;
    }
}

bool darc_event_moves(const darc_events *e, const darc_event *c, int u)
{
    return u == c->unknown ||
           (e->with[u] == c->unknown && changes(e, u, c->at));
}

void darc_event_set(double *const *early, const darc_events *e,
                    const darc_event *c, double to)
{
    for (int u = 0; u < e->r->unknowns; u++)
        if (darc_event_moves(e, c, u))
            early[u][c->at] = to;
}

/* Set least and most to how early the change of values that sample t shows may
 * be taken to be: at most half a sample beyond the two around it, unless these
 * are shown to be before and behind it, as where an output jumps; changes less
 * than three samples apart stay where they are. */
static void limit(double *least, double *most, const double *value,
                  darc_segment g, size_t t, bool shown)
{
    const double beyond = 0.5, last = 0.999;
    bool before = !shown && t >= g.begin + 3 && value[t - 1] == value[t - 2] &&
                  value[t - 2] == value[t - 3];
    bool behind = !shown && t + 2 < g.end && value[t + 1] == value[t] &&
                  value[t + 2] == value[t];
    *least = behind ? -beyond : 0;
    *most = before ? 1 + beyond : last;
}

/* Let the event be where all that changes then may. */
static void set_limits(darc_event *c, const darc_events *e, darc_segment g,
                       bool shown)
{
    c->least = -HUGE_VAL;
    c->most = HUGE_VAL;
    for (int u = 0; u < e->r->unknowns; u++) {
        double least, most;
        if (!darc_event_moves(e, c, u))
            continue;
        limit(&least, &most, e->r->signal[u].value, g, c->at, shown);
        c->least = fmax(c->least, least);
        c->most = fmin(c->most, most);
    }
}

/* Append the events of unknown u in a segment; return whether there are not too
 * many. */
static bool append_events(darc_events *e, size_t *room, int u, darc_segment g,
                          bool shown)
{
    for (size_t t = g.begin + 1; t < g.end && e->count <= DARC_LOCATE_MOST;
         t++) {
        int first = e->with[u];
        if (!changes(e, u, t) || (first != u && changes(e, first, t)))
            continue;
        e->list = darc_grow(e->list, (size_t)e->count, room, sizeof *e->list);
        darc_event *c = e->list + e->count++;
        *c = (darc_event){.unknown = u, .at = t};
        set_limits(c, e, g, shown);
    }
    return e->count <= DARC_LOCATE_MOST;
}

bool darc_events_list(darc_events *e, const darc_fit *f,
                      const darc_table *table, bool shown)
{
    size_t room = 0;
    bool told = f->weak->stamps == NULL;
    *e = (darc_events){.table = table, .r = &f->r};
    e->with = darc_calloc((size_t)f->r.unknowns + 1, sizeof *e->with);
    find_companions(e, f);
    for (int u = 0; u < f->r.unknowns; u++) {
        told = told && f->r.signal[u].base == NULL && !f->r.until[u];
        for (int i = 0; e->with[u] >= 0 && i < table->segments && told; i++)
            told = append_events(e, &room, u, table->segment[i], shown);
    }
    return told && e->count > 0 && e->count <= DARC_LOCATE_SHARE * f->white.dof;
}

void darc_events_clear(darc_events *e)
{
    DARC_FREE(e->list, e->with);
}
