import type { ObjectVersionQuery, ObjectVersions } from '../../../ports/content/object-versions.ts'
import type { ObjectVersion } from '../../../ports/records/object-version.ts'
import { commonPrefix, lastCharacter, type ObjectPageQuery, rootOf } from './object-page.ts'

export interface VersionPageQuery extends ObjectPageQuery {
  /** Of the key `after`: nothing up to this version. Left out, no version of that key. */
  readonly afterCommitId: string | undefined
}

export type ListedVersion =
  | {
      readonly kind: 'version'
      readonly key: string
      readonly version: ObjectVersion
      readonly isLatest: boolean
    }
  | { readonly kind: 'prefix'; readonly prefix: string }

export interface VersionPage {
  /** By key in byte order, of each the newest first; common prefixes among them. */
  readonly entries: readonly ListedVersion[]
  readonly isTruncated: boolean
}

type Versions = Pick<ObjectVersions, 'list'>

/** Reads as many versions as the page is long, and some for each common prefix. */
export async function listVersionPage(
  query: VersionPageQuery,
  versions: Versions,
): Promise<VersionPage> {
  const { zone, after, afterCommitId, limit } = query
  if (limit === 0) return { entries: [], isTruncated: false }
  const root = rootOf(zone)
  const entries: ListedVersion[] = []
  let previousKey = afterCommitId === undefined ? undefined : after
  let passed = commonPrefix(after, query) === after ? after : undefined
  for await (const version of versionsOf(query, versions, () => passed)) {
    const key = version.path.slice(root.length)
    if (passed !== undefined && key.startsWith(passed)) continue
    if (entries.length === limit) return { entries, isTruncated: true }
    passed = commonPrefix(key, query)
    if (passed === undefined)
      entries.push({ kind: 'version', key, version, isLatest: key !== previousKey })
    else entries.push({ kind: 'prefix', prefix: passed })
    previousKey = key
  }
  return { entries, isTruncated: false }
}

const fewRows = 32
const mostRows = 1_001

/** All that begin with the prefix; what `passed` names is left out as far as that saves reading it. */
async function* versionsOf(
  { zone, prefix, after, afterCommitId: commitId, limit }: VersionPageQuery,
  versions: Versions,
  passed: () => string | undefined,
): AsyncIterable<ObjectVersion> {
  const root = rootOf(zone)
  // The character after the slash: where the zone's objects end.
  const before = `${root.slice(0, -1)}0`
  let place: Pick<ObjectVersionQuery, 'from' | 'after'> = {
    from: root + prefix,
    ...(after !== '' && { after: { path: root + after, commitId } }),
  }
  let rows = Math.min(limit + 1, mostRows)
  for (;;) {
    const found = await versions.list({ ...place, before, limit: rows })
    for (const version of found) {
      if (!version.path.startsWith(root + prefix)) return
      yield version
    }
    const last = found.at(-1)
    if (last === undefined || found.length < rows) return
    const common = passed()
    const isPassed = common !== undefined && last.path.startsWith(root + common)
    const from = isPassed ? root + common + lastCharacter : root + prefix
    rows = isPassed ? fewRows : Math.min(2 * rows, mostRows)
    place = { from, after: last }
  }
}
