import { canonicalType } from '../../../lib/bytes/sniff-media-type.ts'

const token = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/u

// A media type, or a range of them such as image/*, in the spelling that is compared; undefined for other text.
export function typeRange(text: string): string | undefined {
  const [type = '', subtype = '', ...rest] = text.trim().toLowerCase().split('/')
  if (rest.length > 0) return undefined
  if (subtype === '*') return type === '*' || token.test(type) ? `${type}/*` : undefined
  return token.test(type) && token.test(subtype) ? canonicalType(`${type}/${subtype}`) : undefined
}

/** Whether a media type, without parameters, is in one of the ranges. */
export const isAllowedType = (type: string, ranges: readonly string[]): boolean =>
  ranges.some(
    (range) =>
      range === '*/*' ||
      range === type ||
      (range.endsWith('/*') && type.startsWith(range.slice(0, -1))),
  )
