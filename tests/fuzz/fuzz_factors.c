/* Any bytes as a factor space; what parses is assessed, its series read from
 * nowhere. */
#include "agree/credibility.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    darc_factor_space s;
    const char *text = size > 0 ? (const char *)data : "";
    if (darc_credibility_parse(&s, text, size, "/nowhere/fuzz", NULL) !=
        DARC_OK)
        return 0;
    (void)!darc_credibility_assess(&s, NULL);
    darc_credibility_clear(&s);
    return 0;
}
