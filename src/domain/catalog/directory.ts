import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { standardDirectories } from '../content/asset-path.ts'
import type { AssetIndex } from './asset-index.ts'
import {
  type DirectoryDates,
  type DirectoryFacts,
  type DirectorySums,
  nothingBelow,
} from './directory-tree.ts'

export interface SubDirectory extends DirectoryDates {
  readonly name: string
}

interface SubFolder extends DirectoryFacts {
  readonly name: string
}

/** What is directly in a directory. */
export interface Directory {
  /** By name. */
  readonly directories: readonly SubDirectory[]
  /** By name. */
  readonly files: readonly AssetRecord[]
}

/** A directory without its files. */
export interface Folder extends DirectorySums {
  /** By name. */
  readonly directories: readonly SubFolder[]
}

interface Contents {
  readonly index: Pick<AssetIndex, 'directoriesIn' | 'directlyIn' | 'sumsOf'>
  readonly zoneByName: ReadonlyMap<string, ZoneRecord>
}

/** `''` is the directory of all zones. */
export const listDirectory = (path: string, contents: Contents): Directory => ({
  directories: directoriesAt(path, contents).map(({ name, createdAt, changedAt }) => ({
    name,
    createdAt,
    changedAt,
  })),
  files: contents.index.directlyIn(path),
})

/** The same without its files, which may be very many. */
export function listFolder(path: string, contents: Contents): Folder {
  const directories = directoriesAt(path, contents)
  return {
    ...contents.index.sumsOf(path),
    directoryCount: directories.length,
    directories,
  }
}

function directoriesAt(path: string, { index, zoneByName }: Contents): readonly SubFolder[] {
  const facts = new Map(index.directoriesIn(path))
  for (const [name, madeAt] of directoriesByZone(path, zoneByName)) {
    const known = facts.get(name)
    const changedAt = later(known?.changedAt, madeAt)
    facts.set(name, { ...(known ?? nothingBelow), createdAt: madeAt, changedAt })
  }
  return Array.from(facts, ([name, each]) => ({ name, ...each })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
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
