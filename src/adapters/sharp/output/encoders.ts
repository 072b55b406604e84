import type { Sharp } from 'sharp'

import type { OutputFormat, OutputSpec } from '../../../ports/media/renderer.ts'

/** How an animated image moves; encoders need it where pixels have come without it. */
export interface Motion {
  readonly delay: number[]
  readonly loop: number
}

type Encoder = (image: Sharp, output: OutputSpec, motion: Partial<Motion>) => Sharp

/**
 * Settings by measured cost. AVIF effort 0 costs a fortieth of sharp's default for a tenth more bytes;
 * flat graphics need effort 1, where the screen-content tools begin. 4 is never used: it costs five
 * times 3. WebP effort 2 is half of 4. The `tune` of AVIF shifts its quality scale, so it is pinned.
 */
const encoders: Readonly<Record<OutputFormat, Encoder>> = {
  jpeg: (image, { quality, effort, isProgressive: progressive = false }) =>
    image.jpeg({
      quality,
      ...(effort === 'dense' ? { mozjpeg: true } : { optimiseCoding: progressive, progressive }),
    }),
  webp: (image, { quality, effort, isLossless: lossless = false }, motion) =>
    image.webp({
      ...(lossless ? { lossless } : { quality: webpQuality(quality) }),
      effort: effort === 'dense' ? 6 : 2,
      ...motion,
    }),
  avif: (image, { quality, effort, isGraphic, isLossless: lossless = false }) =>
    lossless
      ? image.avif({ lossless, effort: 0, chromaSubsampling: '4:4:4' })
      : image.avif({
          quality: avifQuality(quality),
          effort: effort === 'dense' ? 3 : isGraphic ? 1 : 0,
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
