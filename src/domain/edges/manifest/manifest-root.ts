import type { FeedPosition } from '../../../ports/edges/replica-store.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { digestOf, type ManifestParts } from './manifest-parts.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { invalid } from '../../errors.ts'

/** The names of all parts with what they hash to, and what those together hash to. */
export interface ManifestRoot {
  /** Whoever has the parts and then follows the feed from here has everything. */
  readonly position: FeedPosition
  readonly sha256: string
  /** Whether whoever answers hears of every change at once. Else it may be behind whoever asks. */
  readonly isCurrent: boolean
  readonly digestByPart: ReadonlyMap<string, string>
}

const partsAtOnce = 4

export async function manifestRoot(
  parts: Pick<ManifestParts, 'names' | 'digest'>,
  standing: Pick<ManifestRoot, 'position' | 'isCurrent'>,
): Promise<ManifestRoot> {
  const names = parts.names().toSorted()
  const digests = await mapConcurrently(
    names,
    partsAtOnce,
    async (name) => [name, await parts.digest(name)] as const,
  )
  return {
    ...standing,
    sha256: digestOf(digests.map((row) => row.join(' ')).join('\n')),
    digestByPart: new Map(digests),
  }
}

interface RootMessage {
  readonly Position: string
  readonly Root: string
  readonly IsCurrent: boolean
  readonly Parts: Readonly<Record<string, string>>
}

export const rootMessage = (root: ManifestRoot): RootMessage => ({
  Position: positionText(root.position),
  Root: root.sha256,
  IsCurrent: root.isCurrent,
  Parts: Object.fromEntries(root.digestByPart),
})

/** Throws where `text` is not the JSON of a {@link rootMessage}. */
export function readRoot(text: string): ManifestRoot {
  const { Position, Root, IsCurrent, Parts } = JSON.parse(text) as RootMessage
  return {
    position: parsePosition(Position, 'Position'),
    sha256: Root,
    isCurrent: IsCurrent,
    digestByPart: new Map(Object.entries(Parts)),
  }
}

/** Before the first entry of any feed. */
export const beginning: FeedPosition = { seq: 0, atMs: 0 }

export const positionOf = ({ seq, at }: FeedEntry): FeedPosition => ({ seq, atMs: at.getTime() })

/** As it is sent: `<seq>.<milliseconds since 1970>`. */
export const positionText = ({ seq, atMs }: FeedPosition): string => `${seq}.${atMs}`

/** Refuses what is not a position; `field` is where it came from. */
export function parsePosition(text: string, field: string): FeedPosition {
  const [, seq, atMs] = /^(\d{1,15})\.(\d{1,15})$/u.exec(text) ?? []
  if (seq === undefined || atMs === undefined)
    throw invalid(field, 'must be a position of the feed, <seq>.<milliseconds>')
  return { seq: Number(seq), atMs: Number(atMs) }
}
