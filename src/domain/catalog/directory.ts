import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { standardDirectories } from '../content/asset-path.ts'
import type { AssetIndex } from './asset-index.ts'
import type { DirectoryDates } from './directory-tree.ts'

export interface SubDirectory extends DirectoryDates {
  readonly name: string
}

/** What is directly in a directory. */
export interface Directory {
  /** By name. */
  readonly directories: readonly SubDirectory[]
  /** By name. */
  readonly files: readonly AssetRecord[]
}

interface Contents {
  readonly index: Pick<AssetIndex, 'directoriesIn' | 'directlyIn'>
  readonly zoneByName: ReadonlyMap<string, ZoneRecord>
}

/** `''` is the directory of all zones. */
export function listDirectory(path: string, { index, zoneByName }: Contents): Directory {
  const dates = new Map(index.directoriesIn(path))
  for (const [name, madeAt] of directoriesByZone(path, zoneByName))
    dates.set(name, { createdAt: madeAt, changedAt: later(dates.get(name)?.changedAt, madeAt) })
  return {
    directories: [...dates]
      .map(([name, { createdAt, changedAt }]) => ({ name, createdAt, changedAt }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    files: index.directlyIn(path),
  }
}

/** The directories that are there because a zone is, with or without assets, as old as the zone. */
function directoriesByZone(
  path: string,
  zoneByName: ReadonlyMap<string, ZoneRecord>,
): readonly (readonly [string, Date])[] {
  if (path === '') return [...zoneByName.values()].map(({ name, createdAt }) => [name, createdAt])
  const [name = '', ...below] = path.split('/')
  const zone = zoneByName.get(name)
  if (!zone) return []
  if (below.length === 0) return [['v1', zone.createdAt]]
  if (below.length > 1 || below[0] !== 'v1') return []
  return standardDirectories.map((directory) => [directory, zone.createdAt])
}

const later = (a: Date | undefined, b: Date): Date => (a && a > b ? a : b)
