/* scene.h - weak systems of signals that are known at all times. */
#ifndef DARC_TESTS_SCENE_H
#define DARC_TESTS_SCENE_H

#include "../bench/weak_cases.h"
#include "weak/piece.h"

enum {
    SCENE_SIGNALS = 3,
    SCENE_EQUATIONS = 2,
    SCENE_PARTS = 6,
    SCENE_HALF = 3
};

typedef struct {
    const char *names; /* a letter a signal; u is an input */
    const char *part[SCENE_EQUATIONS][SCENE_PARTS]; /* as case_part reads */
    double (*at)(int signal, double t);
    int samples;
    double dt;
    double sd; /* of the noise of every signal */
    int half;  /* its kernel has twice as many taps and one; up to SCENE_HALF */
    int derived; /* the signal that is a function of signal 0 and carries its
                    noise; 0: none */
    double (*slope)(double y); /* its derivative by signal 0 */
    int support, smooth, piece;
} scene_plan;

typedef struct {
    const scene_plan *plan;
    darc_jet_t jet;
    int equations, signals;
    darc_total_struct total[SCENE_EQUATIONS];
    darc_table table;
    darc_segment segment;
    darc_signal column[SCENE_SIGNALS];
    double kernel[2 * SCENE_HALF + 1];
    double *partial; /* of the derived signal */
    darc_weak_channel channel[SCENE_SIGNALS];
    darc_weak_source source[SCENE_SIGNALS];
    darc_weak_signal signal[SCENE_SIGNALS];
    darc_weak_data data;
    darc_weak *weak;
} scene;

/* Make the signals of the plan, without noise, and the system. */
void scene_open(scene *s, const scene_plan *plan);
void scene_close(scene *s);

/* Make the system anew, of signals or data that were changed. */
void scene_remake(scene *s);

/* Set the signals to those of the plan with noise as it says: signal 0, and
 * what is derived from it, by the function itself. */
void scene_disturb(scene *s, double (*derive)(double y), uint64_t *state);

#endif
