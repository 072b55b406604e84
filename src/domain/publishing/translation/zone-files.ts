import { setImmediate } from 'node:timers/promises'

import type { Change, Commit } from '../../../ports/content/content-store.ts'
import { clientsDirectory } from '../../content/asset-path.ts'
import { placeOf } from './place-of.ts'

/**
 * Which zones have anything in the repository, where past commits are gone through from the first on: the
 * newest tree cannot say whether a zone of now was another one before.
 */
export interface ZoneFiles {
  /** `hasObject` says of what there was before the commit. */
  apply(commit: Pick<Commit, 'changes'>, hasObject: HasObject): void
  /** The same, of a commit of thousands; others have turns. */
  applyInTurns(commit: Pick<Commit, 'changes'>, hasObject: HasObject): Promise<void>
  has(zone: string): boolean
}

type HasObject = (path: string) => boolean

const changesPerTurn = 2_000

interface Files {
  objectCount: number
  /** Placeholders, settings, and what is no asset. */
  readonly others: Set<string>
}

export function followZoneFiles(): ZoneFiles {
  const filesByZone = new Map<string, Files>()

  function filesOf(zone: string): Files {
    const files = filesByZone.get(zone) ?? { objectCount: 0, others: new Set<string>() }
    filesByZone.set(zone, files)
    return files
  }

  function apply(changes: readonly Change[], hasObject: HasObject): void {
    for (const { kind, path } of changes) {
      const place = placeOf(path)
      const [root, zone] = path.split('/')
      if (root !== clientsDirectory || zone === undefined || place.kind === 'own') continue
      const files = filesOf(zone)
      if (place.kind === 'zone') filesByZone.delete(zone)
      else if (place.kind === 'asset') {
        if (hasObject(place.path) !== (kind === 'put')) files.objectCount += kind === 'put' ? 1 : -1
      } else if (kind === 'put') files.others.add(path)
      else files.others.delete(path)
    }
  }

  return {
    apply: ({ changes }, hasObject) => apply(changes, hasObject),
    async applyInTurns({ changes }, hasObject) {
      for (let start = 0; start < changes.length; start += changesPerTurn) {
        if (start > 0) await setImmediate()
        apply(changes.slice(start, start + changesPerTurn), hasObject)
      }
    },
    has(zone) {
      const files = filesByZone.get(zone)
      return files !== undefined && files.objectCount + files.others.size > 0
    },
  }
}
