import type { Input } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

/** What somebody wants purged, as they typed it. */
export interface PurgeOrder {
  readonly what: 'urls' | 'tags' | 'everything'
  /** One a line. */
  readonly urls: string
  /** One a line. */
  readonly tags: string
  /** Whether what is there may be served while it is fetched anew. */
  readonly isSoft: boolean
}

/** What the service takes at once. */
const maxItems = 30

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The text with another line, which is there once. */
export const withLine = (text: string, line: string): string =>
  [...new Set([...linesOf(text), line])].join('\n')

/** What is wrong with it; `undefined` where it can be sent. */
export function faultOf({ what, ...texts }: PurgeOrder): string | undefined {
  if (what === 'everything') return undefined
  const lines = linesOf(texts[what])
  if (lines.length > maxItems)
    return t('At most {maximum} at once; these are {count}.', {
      maximum: maxItems,
      count: lines.length,
    })
  const wrong = lines.find((line) => !isPlausible[what](line))
  if (wrong === undefined) return undefined
  return what === 'tags'
    ? t('A tag has letters, digits, hyphens and underscores, such as zone-acme: {tag}', {
        tag: wrong.slice(0, 80),
      })
    : t('A URL begins with / or https://: {line}', { line: wrong.slice(0, 80) })
}

const isPlausible = {
  urls: (line: string) => /^(?:\/(?!\/)|https?:\/\/)/iu.test(line),
  tags: (line: string) => /^[\w-]{1,128}$/u.test(line),
} as const

export const isComplete = (order: PurgeOrder): boolean =>
  order.what === 'everything' ||
  (linesOf(order[order.what]).length > 0 && faultOf(order) === undefined)

export const bodyOfOrder = (order: PurgeOrder): NonNullable<Input<'purge'>['body']> => ({
  ...(order.what === 'everything'
    ? { purge_everything: true }
    : { [order.what]: linesOf(order[order.what]) }),
  ...(order.isSoft && { soft: true }),
})
