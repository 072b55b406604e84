/** What the C library of a Linux is called, of glibc and of musl, to be tried one after another. */
export const cLibraries = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'] as const
