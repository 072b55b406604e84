export const maxOutputPixels = 40_000_000
/** Above this an AVIF takes longer than anyone waits; WebP is sent instead. */
export const maxAvifPixels = 4_000_000
