import type { OutputFormat } from '../../../ports/media/renderer.ts'

/** Of all frames of a result together. */
export const maxOutputPixels = 40_000_000

/** What an encoder can do in the time and the memory that there are. */
interface EncoderLimit {
  /** Where the caller named the format: beyond, it is refused. */
  readonly named: number
  /** Where the format was ours to choose: beyond, another one is cheaper for everybody. */
  readonly chosen: number
}

const webpOpaque: EncoderLimit = { named: maxOutputPixels, chosen: maxOutputPixels }
const webpClear: EncoderLimit = { named: 12_000_000, chosen: 12_000_000 }
/** 3840 × 2160 is named in about a second; 4 megapixels are as fast as anyone waits for. */
const avif: EncoderLimit = { named: 8_400_000, chosen: 4_000_000 }

export function encoderLimitOf(format: OutputFormat, hasAlpha: boolean): EncoderLimit {
  if (format === 'avif') return avif
  return format === 'webp' && hasAlpha ? webpClear : webpOpaque
}
