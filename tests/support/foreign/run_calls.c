/* Carries out recorded calls of a library on another machine: run_calls LIBRARY < calls > results.

   Each call is an image of memory: its arrays and the block with their addresses, which are written here. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#include <windows.h>
static void *open_library(const char *path) { return (void *)LoadLibraryA(path); }
static void *find(void *library, const char *name) { return (void *)GetProcAddress((HMODULE)library, name); }
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW); }
static void *find(void *library, const char *name) { return dlsym(library, name); }
#endif

static void fail(const char *reason)
{
    fprintf(stderr, "run_calls: %s\n", reason);
    exit(1);
}

int main(int count, char **arguments)
{
    char symbol[256];
    uint64_t header[4]; /* length of the name, size of the image, place of the block, number of addresses */
    void *library = count == 2 ? open_library(arguments[1]) : 0;
    if (!library) fail("the library cannot be loaded");
#ifdef _WIN32
    _setmode(0, _O_BINARY);
    _setmode(1, _O_BINARY);
#endif
    while (fread(header, sizeof header, 1, stdin) == 1) {
        if (header[0] >= sizeof symbol || fread(symbol, 1, header[0], stdin) != header[0]) fail("a bad name");
        symbol[header[0]] = 0;
        uint64_t *addresses = malloc(16 * header[3] + 16);
        char *image = malloc(header[1] + 64), *start = image + 63 - ((uintptr_t)(image + 63)) % 64;
        if (fread(addresses, 16, header[3], stdin) != header[3]) fail("too few addresses");
        if (fread(start, 1, header[1], stdin) != header[1]) fail("too small an image");
        for (uint64_t place = 0; place < header[3]; place++)
            *(uint64_t *)(start + addresses[2 * place]) = (uint64_t)(uintptr_t)(start + addresses[2 * place + 1]);
        int32_t (*function)(void *) = (int32_t (*)(void *))find(library, symbol);
        if (!function) fail("no such function");
        int64_t status = function(start + header[2]);
        fwrite(&status, sizeof status, 1, stdout);
        fwrite(start, 1, header[1], stdout);
        free(image);
        free(addresses);
    }
    return 0;
}
