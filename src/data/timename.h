/* timename.h - names and units of columns that hold time. */
#pragma once

/* Return the number of a unit of time, 0 for "", -1 if it is none; its size. */
int darc_time_unit(const char *unit);
int darc_time_unit_written(
    const char *unit); /* mS, too: of a time, no siemens */
double darc_time_unit_seconds(int unit);

/* Return the number of the unit at the end of a name of time: t_ms, TimeUS,
 * time_s; 0: there is none. */
int darc_time_unit_of(const char *name);

/* How surely a name is that of time: by what the column holds alone; by its
 * unit; by a word for time in a language of Europe; it holds "time" or "zeit",
 * begins with it, is it; is "t". */
enum {
    DARC_TIME_BY_KIND = 1,
    DARC_TIME_BY_UNIT,
    DARC_TIME_BY_WORD,
    DARC_TIME_HELD,
    DARC_TIME_BEGUN,
    DARC_TIME_NAMED,
    DARC_TIME_TOTAL, /* "Total Time" beside the time of steps */
    DARC_TIME_T,
    DARC_TIME_CALENDAR_RANK /* several columns make it */
};

/* Return which of them it is, whatever the case: DateTime, Uhrzeit. */
int darc_time_rank(const char *name, const char *unit);
