import type {
  AssetMetadata,
  EmbeddedMember,
  EmbeddedSource,
} from '../../../ports/records/asset-metadata.ts'

/** What a file says of itself, each member with where it was read. */
export type FirstValues = Pick<AssetMetadata, EmbeddedMember | 'sources'>

const members: readonly EmbeddedMember[] = [
  'title',
  'alt',
  'description',
  'tags',
  'copyright',
  'licence',
]

/** What persons said, and where they said nothing what the file says. `undefined` where nobody says a thing. */
export function withFirstValues(
  metadata: AssetMetadata | undefined,
  first: FirstValues | undefined,
): AssetMetadata | undefined {
  const own = personsValues(metadata)
  const added: Record<string, unknown> = {}
  const sources: Partial<Record<EmbeddedMember, EmbeddedSource>> = {}
  for (const member of members) {
    const source = first?.sources?.[member]
    if (own[member] !== undefined || first?.[member] === undefined || !source) continue
    added[member] = first[member]
    sources[member] = source
  }
  const all = { ...own, ...added, ...(Object.keys(sources).length > 0 && { sources }) }
  return Object.keys(all).length === 0 ? undefined : all
}

/** What of it the file says; to be kept where persons change the rest. */
export function firstValuesIn(metadata: AssetMetadata | undefined): FirstValues {
  const sources = metadata?.sources ?? {}
  const kept = members.flatMap((member) =>
    sources[member] === undefined ? [] : [[member, metadata?.[member]] as const],
  )
  return { ...Object.fromEntries(kept), sources }
}

/** What persons said, whatever the file says. */
export function personsValues({ sources = {}, ...metadata }: AssetMetadata = {}): AssetMetadata {
  const kept = Object.entries(metadata).filter(([name]) => !(name in sources))
  return Object.fromEntries(kept)
}
