import type { Sharp } from 'sharp'

import type { EncoderEffort, OutputFormat, OutputSpec } from '../../../ports/media/renderer.ts'

/** How an animated image moves; encoders need it where pixels have come without it. */
export interface Motion {
  readonly delay: number[]
  readonly loop: number
}

type Encoder = (image: Sharp, output: OutputSpec, motion: Partial<Motion>) => Sharp

type ByEffort<Value> = Readonly<Record<EncoderEffort, Value>>

/** Annex K's own table does with trellis quantisation what the table that mozjpeg brings does with more bytes. */
const denseJpeg = { mozjpeg: true, quantisationTable: 0 } as const
/** libwebp decides from 3 on by what distorts, and from 5 on trellises. */
const webpEfforts: ByEffort<number> = { fast: 2, usual: 3, dense: 6 }
/**
 * 0 costs a fortieth of sharp's default, 4, for four tenths more bytes; 2 a tenth for 14 in a hundred; 3 a
 * quarter for three.
 */
const avifEfforts: ByEffort<number> = { fast: 0, usual: 2, dense: 4 }

/**
 * Settings by what was measured on photographs at equal structural similarity. Flat graphics need AVIF's
 * effort 1, where the screen-content tools begin. The `tune` of AVIF shifts its quality scale, so it is pinned.
 */
const encoders: Readonly<Record<OutputFormat, Encoder>> = {
  jpeg: (image, { quality, effort, isProgressive: progressive = false }) =>
    image.jpeg({
      quality,
      ...(effort === 'dense'
        ? denseJpeg
        : { optimiseCoding: progressive || effort === 'usual', progressive }),
    }),
  webp: (image, { quality, effort, isLossless: lossless = false }, motion) =>
    image.webp({
      ...(lossless
        ? { lossless }
        : { quality: webpQuality(quality), smartDeblock: effort === 'dense' && !motion.delay }),
      effort: webpEfforts[effort],
      ...motion,
    }),
  avif: (image, { quality, effort, isGraphic, isLossless: lossless = false }) =>
    lossless
      ? image.avif({ lossless, effort: 0, chromaSubsampling: '4:4:4' })
      : image.avif({
          quality: avifQuality(quality),
          effort: Math.max(avifEfforts[effort], isGraphic ? 1 : 0),
          chromaSubsampling: isGraphic ? '4:4:4' : '4:2:0',
          tune: 'iq',
        }),
  png: (image, { effort, isProgressive: progressive = false, hasFilters = false }) =>
    image.png({
      compressionLevel: effort === 'dense' ? 9 : 6,
      progressive,
      adaptiveFiltering: hasFilters,
    }),
  gif: (image, { effort }, motion) => image.gif({ effort: effort === 'dense' ? 7 : 2, ...motion }),
}

export const encode: Encoder = (image, output, motion) =>
  encoders[output.format](image, output, motion)

const webpQuality = (quality: number): number => Math.max(1, quality - 1)

/** JPEG quality → AVIF quality that looks the same, by structural similarity on photographs. */
const avifAnchors = [
  [1, 1],
  [50, 30],
  [80, 60],
  [90, 70],
  [100, 90],
] as const

function avifQuality(quality: number): number {
  const above = avifAnchors.findIndex(([jpeg]) => jpeg >= quality)
  const [toJpeg, toAvif] = avifAnchors[Math.max(1, above)] ?? avifAnchors[1]
  const [fromJpeg, fromAvif] = avifAnchors[Math.max(0, above - 1)] ?? avifAnchors[0]
  const share = (quality - fromJpeg) / (toJpeg - fromJpeg)
  return Math.round(fromAvif + share * (toAvif - fromAvif))
}
