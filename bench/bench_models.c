/* Random models as in tests/identify/test_random_models.c.
 *
 *     bench_models [MODELS [FIRST]]      (default 500 1)
 *
 * A line for every model of which something wrong is said; then how many
 * were looked at, statuses that were left undecided, and the CPU seconds.  Then
 * as many models at the edge of what there is (random_edge.h) through all
 * commands, and how many ended one otherwise than with exit codes 0 to 4.
 */
#include "random_edge.h"
#include "random_model.h"

#include <stdlib.h>
#include <time.h>

static void show(int seed, const char *fault)
{
    random_model m;
    random_model_init(&m, seed);
    printf("model %d: %s\n%s", seed, fault, m.text);
    fflush(stdout);
    random_model_clear(&m);
}

/* Return how many models at the edge ended a command. */
static int try_edges(int first, int models)
{
    int ended = 0;
    for (int seed = first; seed < first + models; seed++) {
        char fault[RANDOM_EDGE_TEXT];
        random_edge_check(fault, seed, 0, RANDOM_EDGE_COMMANDS);
        if (fault[0] != '\0')
            printf("edge %d: %s\n", seed, fault);
        fflush(stdout);
        ended += fault[0] != '\0';
    }
    printf("%d models at the edge, %d ended a command\n", models, ended);
    return ended;
}

int main(int argc, char **argv)
{
    int models = argc > 1 ? atoi(argv[1]) : 500;
    int first = argc > 2 ? atoi(argv[2]) : 1, looked = 0, undecided = 0;
    int wrong = 0;
    for (int seed = first; seed < first + models; seed++) {
        random_model_answer a;
        random_model_check(&a, seed);
        looked += a.looked;
        undecided += a.undecided;
        wrong += a.fault[0] != '\0';
        if (a.fault[0] != '\0')
            show(seed, a.fault);
    }
    printf("%d models, %d looked at, %d wrong, %d statuses undecided, %.1f s\n",
           models, looked, wrong, undecided, (double)clock() / CLOCKS_PER_SEC);
    wrong += try_edges(first, models);
    return wrong > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
