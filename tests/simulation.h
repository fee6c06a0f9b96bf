/* simulation.h - simulations of models given as text, for tests. */
#ifndef DARC_TESTS_SIMULATION_H
#define DARC_TESTS_SIMULATION_H

#include "simulate/simulate.h"

/* The model, read for simulation; the test fails where it has an error. */
darc_model *simulation_parse(const char *text);

/* "a=1 b=2" as settings; at most 12. */
typedef struct {
    char text[256];
    const char *name[12], *value[12];
} simulation_words;

/* Split text into w; the result points into w. */
darc_settings simulation_settings(simulation_words *w, const char *text);

typedef struct {
    const char *model, *param, *init, *input;
    double t_end, rate, noise, rtol;
    unsigned seed;
} simulation;

darc_status simulation_run(darc_table **table, const simulation *j,
                           darc_err *err);

/* Return the recording; the test fails when there is none. */
darc_table *simulation_make(const simulation *j);

/* The simulation fails with that status and message. */
void simulation_refuse(const simulation *j, darc_status status,
                       const char *message);

#endif
