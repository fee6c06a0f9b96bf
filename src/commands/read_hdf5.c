/* read_hdf5.c - the program read-hdf5: HDF5, also that of MATLAB 7.3. */
#include "commands/hdf5_arrays.h"
#include "commands/serve.h"

int main(int argc, char **argv)
{
    static const darc_format formats[] = {{"hdf5", darc_hdf5_arrays, false},
                                          {"mat", darc_hdf5_matlab, false},
                                          {NULL, NULL, false}};
    return darc_serve(argc, argv, formats);
}
