import type { Step } from './step.ts'

/** Embedded profiles, CMYK and 16 bits become 8-bit sRGB; the profile itself is dropped. */
export const convertColors: Step = (image) => image.toColourspace('srgb')
