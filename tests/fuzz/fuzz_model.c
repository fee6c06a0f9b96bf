/* Any bytes: parse; what parses is printed and read back, to the same text. */
#include "model/model.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    darc_model *m, *again;
    darc_text_t once, twice;
    const char *text = size == 0 ? "" : (const char *)data;
    if (darc_model_parse(&m, text, size, "fuzz", NULL) != DARC_OK)
        return 0;
    darc_text_init(once);
    darc_text_init(twice);
    darc_model_print(once, m);
    if (darc_model_parse(&again, once->s, once->len, "fuzz", NULL) != DARC_OK)
        abort();
    darc_model_print(twice, again);
    if (strcmp(once->s, twice->s) != 0)
        abort();
    darc_model_free(m);
    darc_model_free(again);
    darc_text_clear(once);
    darc_text_clear(twice);
    return 0;
}
