import { isDeepStrictEqual } from 'node:util'

import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { compact } from './members.ts'
import { parseSidecar, serialiseSidecar, type Sidecar, SidecarError } from './sidecar.ts'

export interface SidecarVersions {
  /** What both began with; `undefined` where there was no file. */
  readonly common: Uint8Array | undefined
  readonly ours: Uint8Array
  readonly theirs: Uint8Array
}

/**
 * Both changes of what is known of an asset, member by member, languages, tags and own fields each by
 * itself. Of a member that both changed ours stays, which has been answered. `undefined` where one of them
 * cannot be read, or both together are too much: then there is nothing to merge.
 */
export function mergeSidecars({ common, ours, theirs }: SidecarVersions): Uint8Array | undefined {
  try {
    const versions = [common, ours, theirs].map((bytes) => bytes && parseSidecar(bytes))
    const [before = empty, mine = empty, their = empty] = versions
    const metadata = merged(before.metadata, mine.metadata, their.metadata) as AssetMetadata
    const others = merged(before.others, mine.others, their.others) as Sidecar['others']
    const bytes = serialiseSidecar({ metadata: compact(metadata), others })
    // What was merged has to keep to the bounds as a whole.
    if (bytes !== undefined) parseSidecar(bytes)
    return bytes
  } catch (error) {
    if (error instanceof SidecarError || error instanceof ServiceError) return undefined
    throw error
  }
}

const empty: Sidecar = { metadata: {}, others: {} }
const nested: ReadonlySet<string> = new Set(['alt', 'custom'])

function merged(before: object, ours: object, theirs: object): Record<string, unknown> {
  const [base, mine, their] = [before, ours, theirs].map((each) => new Map(Object.entries(each)))
  const names = new Set([...(mine?.keys() ?? []), ...(their?.keys() ?? [])])
  const members = [...names].map((name): [string, unknown] => {
    const [was, own, other] = [base?.get(name), mine?.get(name), their?.get(name)]
    if (nested.has(name)) return [name, merged(was ?? {}, own ?? {}, other ?? {})]
    if (name === 'tags') return [name, mergedTags(was, own, other)]
    return [name, isDeepStrictEqual(own, was) ? other : own]
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function mergedTags(was: unknown, own: unknown, other: unknown): readonly string[] {
  const [base, ours, theirs] = [was, own, other].map((tags) => new Set((tags ?? []) as string[]))
  const all = [...new Set([...(ours ?? []), ...(theirs ?? [])])]
  return all
    .filter((tag) => {
      const isOurs = ours?.has(tag) === true
      return isOurs === (base?.has(tag) === true) ? theirs?.has(tag) === true : isOurs
    })
    .toSorted()
}
