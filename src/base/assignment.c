#include "base/assignment.h"

#include "base/mem.h"

bool darc_assign(int *column, const int *value, int rows, int columns)
{
    int *row = darc_calloc(3 * (size_t)columns + 1, sizeof *row);
    int *gain = row + columns, *from = gain + columns;
    bool all = true;
    DARC_FILL(row, columns, -1);
    DARC_FILL(column, rows, -1);
    for (int step = 0; step < rows && all; step++) {
        int best = -1;
        DARC_FILL(from, columns, -1);
        for (bool moved = true; moved;) {
            moved = false;
            for (int i = 0; i < rows; i++) {
                int at = column[i];
                if (at >= 0 && from[at] < 0)
                    continue;
                int base = at < 0 ? 0 : gain[at] - value[i * columns + at];
                for (int j = 0; j < columns; j++) {
                    int sum = base + value[i * columns + j];
                    if (value[i * columns + j] < 0 || j == at ||
                        (from[j] >= 0 && gain[j] >= sum))
                        continue;
                    gain[j] = sum;
                    from[j] = i;
                    moved = true;
                }
            }
        }
        for (int j = 0; j < columns; j++)
            if (row[j] < 0 && from[j] >= 0 &&
                (best < 0 || gain[j] > gain[best]))
                best = j;
        all = best >= 0;
        while (best >= 0) {
            int i = from[best], before = column[i];
            row[best] = i;
            column[i] = best;
            best = before;
        }
    }
    darc_free(row);
    return all;
}
