import { z } from 'zod'

import { outputFormats, type OutputFormat } from '../../../../ports/media/renderer.ts'
import type { Values } from './parameter-values.ts'

/**
 * How similar a result is to what it is made from, at least: the mean structural similarity (Wang et al.
 * 2004) of their luma, over windows of 8 by 8 pixels.
 */
const similarityByLevel = { best: 0.985, good: 0.97, eco: 0.95, low: 0.92 } as const
type Level = keyof typeof similarityByLevel

/** What is asked of an encoder: a number from 1 to 100, or a similarity that is to be reached. */
export interface Quality {
  readonly number?: number
  readonly similarity?: number
  /** What is asked of single formats in its place. */
  readonly byFormat: Readonly<Partial<Record<OutputFormat, number>>>
}

const pattern =
  /^(?:\d{1,3}|auto(?::(?:best|good|eco|low))?|(?:avif|webp|jpeg):\d{1,3})(?:,(?:avif|webp|jpeg):\d{1,3}){0,3}$/u

function read(text: string): Quality | undefined {
  let quality: Quality = { byFormat: {} }
  for (const item of text.split(',')) {
    const next = withItem(quality, item)
    if (next === undefined) return undefined
    quality = next
  }
  return quality
}

function withItem(quality: Quality, item: string): Quality | undefined {
  const [word = '', value] = item.split(':')
  if (word === 'auto') {
    const level = (value ?? 'good') as Level
    return { ...quality, similarity: similarityByLevel[level] }
  }
  const number = Number(value ?? word)
  if (number < 1 || number > 100) return undefined
  if (value === undefined) return { ...quality, number }
  const format = outputFormats.find((each) => each === word)
  if (format === undefined || format in quality.byFormat) return undefined
  return { ...quality, byFormat: { ...quality.byFormat, [format]: number } }
}

export const qualities: Values<Quality> = {
  range:
    'an integer from 1 to 100, or auto, auto:best, auto:good, auto:eco or auto:low, or by format, as in 80,avif:60,webp:75',
  written: z.union([z.int().min(1).max(100), z.string().regex(pattern)]),
  schema: z
    .string()
    .regex(pattern)
    .transform((text, context) => {
      const found = read(text)
      if (found !== undefined) return found
      context.addIssue({ code: 'invalid_format', format: 'quality', message: 'is no quality' })
      return z.NEVER
    }),
}
