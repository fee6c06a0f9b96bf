/* read_arrays.c - the program read-arrays: MAT, NPY, NPZ and MDF4. */
#include "commands/serve.h"

int main(int argc, char **argv)
{
    static const darc_format formats[] = {{"mat", darc_mat_list, true},
                                          {"npy", darc_npy_list, false},
                                          {"npz", darc_npz_list, true},
                                          {"mdf4", darc_mdf4_list, false},
                                          {NULL, NULL, false}};
    return darc_serve(argc, argv, formats);
}
