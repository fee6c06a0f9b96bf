/* random_edge.h - models and recordings at the edge of what there is: without
 * states, parameters or free coefficients, of constants alone, outputs that are
 * inputs; of one sample, of signals that stand still, of one signal. */
#ifndef DARC_TESTS_RANDOM_EDGE_H
#define DARC_TESTS_RANDOM_EDGE_H

/* Put model `seed` and its recordings to so many commands of the program, from
 * command `first` on in a ring of RANDOM_EDGE_COMMANDS; fault gets what ended
 * otherwise than with exit codes 0 to 4, empty: nothing. */
enum { RANDOM_EDGE_COMMANDS = 16, RANDOM_EDGE_TEXT = 1600 };
void random_edge_check(char fault[RANDOM_EDGE_TEXT], int seed, int first,
                       int commands);

#endif
