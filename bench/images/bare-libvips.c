/*
 * Nothing but libvips: thumbnail and encode with the settings of imgproxy. Reads lines of
 * "path width format output" and answers each with "cpu-microseconds bytes". Compiled by images.ts
 * against the libvips of sharp, so that both sides run the same library.
 */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

typedef struct _VipsImage VipsImage;
int vips_init(const char *name);
void vips_concurrency_set(int count);
void vips_cache_set_max(int count);
const char *vips_error_buffer(void);
int vips_thumbnail(const char *path, VipsImage **out, int width, ...);
int vips_jpegsave_buffer(VipsImage *in, void **buffer, size_t *length, ...);
int vips_webpsave_buffer(VipsImage *in, void **buffer, size_t *length, ...);
int vips_heifsave_buffer(VipsImage *in, void **buffer, size_t *length, ...);
int vips_pngsave_buffer(VipsImage *in, void **buffer, size_t *length, ...);
void g_object_unref(void *object);
void g_free(void *memory);

enum { size_down = 2, compression_av1 = 4, subsample_on = 1, keep_none = 0 };

static long cpu_microseconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

static int encode(VipsImage *image, const char *format, void **buffer, size_t *length) {
  if (!strcmp(format, "jpeg"))
    return vips_jpegsave_buffer(image, buffer, length, "Q", 80, "optimize_coding", 1, "keep",
                                keep_none, NULL);
  if (!strcmp(format, "webp"))
    return vips_webpsave_buffer(image, buffer, length, "Q", 79, "effort", 4, "keep", keep_none,
                                NULL);
  if (!strcmp(format, "avif"))
    return vips_heifsave_buffer(image, buffer, length, "Q", 63, "effort", 1, "compression",
                                compression_av1, "subsample_mode", subsample_on, "keep", keep_none,
                                NULL);
  return vips_pngsave_buffer(image, buffer, length, "keep", keep_none, NULL);
}

int main(int argc, char **argv) {
  char path[4096], format[16], output[4096];
  int width;
  (void)argc;
  if (vips_init(argv[0])) return 1;
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  while (scanf("%4095s %d %15s %4095s", path, &width, format, output) == 4) {
    VipsImage *image = NULL;
    void *buffer = NULL;
    size_t length = 0;
    long before = cpu_microseconds();
    int failed = vips_thumbnail(path, &image, width, "size", size_down, "height", 100000,
                                "export_profile", "srgb", NULL) ||
                 encode(image, format, &buffer, &length);
    long after = cpu_microseconds();
    if (image) g_object_unref(image);
    if (!failed && strcmp(output, "-")) {
      FILE *file = fopen(output, "wb");
      fwrite(buffer, 1, length, file);
      fclose(file);
    }
    g_free(buffer);
    printf("%ld %zu\n", after - before, failed ? (size_t)0 : length);
    fflush(stdout);
  }
  return 0;
}
