import { setImmediate } from 'node:timers/promises'

import type { ContentStore } from '../../ports/content/content-store.ts'
import type { EarlierVersion, EarlierVersions } from '../../ports/content/object-versions.ts'
import { earlierObjects } from './translation/earlier-objects.ts'

interface Dependencies {
  readonly content: Pick<ContentStore, 'commitsAfter'>
  readonly store: EarlierVersions
  /** Where it ends before it is through, it goes on at the next start. */
  readonly signal: AbortSignal
}

/** So many are added in one transaction, and then others have their turn. */
const sliceSize = 1_000

/** Makes versions of what was committed before there were any. Does nothing where all are made. */
export async function makeEarlierVersions({ content, store, signal }: Dependencies): Promise<void> {
  const missing = await store.missing()
  if (missing === undefined) return
  const objects = earlierObjects()
  let isMade = missing.done !== undefined
  let versions: EarlierVersion[] = []
  let removedZones = new Set<string>()
  for await (const commit of content.commitsAfter(undefined)) {
    if (signal.aborted) return
    const made = objects.next(commit)
    if (isMade) {
      isMade = commit.id !== missing.done
      continue
    }
    for (const zone of made.removedZones) {
      removedZones.add(zone)
      versions = versions.filter(({ version: { path } }) => !path.startsWith(`${zone}/`))
    }
    versions.push(...made.versions)
    const isLast = commit.id === missing.until
    if (!isLast && versions.length < sliceSize) continue
    await store.add({ versions, removedZones: [...removedZones], done: commit.id })
    if (isLast) return
    versions = []
    removedZones = new Set()
    await setImmediate()
  }
}
