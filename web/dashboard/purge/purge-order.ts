import type { Input } from '../../../src/client/types.ts'

/** What somebody wants purged, as they typed it. */
export interface PurgeOrder {
  readonly what: 'urls' | 'tags' | 'everything'
  /** One address or tag a line. */
  readonly text: string
  /** Whether what is there may be served while it is fetched anew. */
  readonly isSoft: boolean
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export const isComplete = ({ what, text }: PurgeOrder): boolean =>
  what === 'everything' || linesOf(text).length > 0

export const bodyOfOrder = ({
  what,
  text,
  isSoft,
}: PurgeOrder): NonNullable<Input<'purge'>['body']> => ({
  ...(what === 'everything' ? { purge_everything: true } : { [what]: linesOf(text) }),
  ...(isSoft && { soft: true }),
})
