import type { Change, Move } from '../../../ports/content/content-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { type AssetPath, clientsDirectory, zoneOf } from '../../content/asset-path.ts'
import { placeOf } from '../translation/place-of.ts'

/** By how much a zone becomes more. */
export interface Growth {
  readonly bytes: number
  /** By how much files become smaller that are put over larger ones: no room for others before it is shown. */
  readonly shrunkBytes: number
  readonly files: number
  /** Files whose bytes are published; not those that are only moved. */
  readonly uploads: number
  /** What is at each path then; `undefined` where nothing is. */
  readonly sizes: ReadonlyMap<string, number | undefined>
  /** The same of before. */
  readonly befores: ReadonlyMap<string, number | undefined>
}

/** What is shown of files. */
export interface ShownFiles {
  asset(path: string): Pick<AssetRecord, 'sizeBytes'> | undefined
  /** In path order. */
  zoneFiles(zone: string): readonly Pick<AssetRecord, 'path'>[]
}

interface Around {
  readonly shown: ShownFiles
  /** What comes before and is not shown yet, in order. */
  readonly under: readonly ReadonlyMap<string, Growth>[]
  /** Of others nothing is added up. */
  readonly zones: ReadonlySet<string>
}

interface Draft {
  bytes: number
  shrunkBytes: number
  files: number
  uploads: number
  readonly sizes: Map<string, number | undefined>
  readonly befores: Map<string, number | undefined>
}

/** The zones that changes may make more or less of. */
export function zonesTouched(changes: readonly Change[]): ReadonlySet<string> {
  const zones = new Set<string>()
  for (const { path } of changes) {
    if (!path.startsWith(`${clientsDirectory}/`)) continue
    const start = clientsDirectory.length + 1
    const end = path.indexOf('/', start)
    zones.add(path.slice(start, end === -1 ? undefined : end))
  }
  return zones
}

/** What comes of those after a write of which nothing came: the first of them at each path is now in its place. */
export function withoutFormer(former: Growth, later: readonly Growth[]): readonly Growth[] {
  const left = new Map(former.befores)
  return later.map((growth) => {
    let { bytes, files } = growth
    const befores = new Map(growth.befores)
    for (const [path, before] of left) {
      if (!befores.has(path)) continue
      const wrong = befores.get(path)
      bytes += (wrong ?? 0) - (before ?? 0)
      files += Number(wrong !== undefined) - Number(before !== undefined)
      befores.set(path, before)
      left.delete(path)
    }
    return { ...growth, bytes, files, befores }
  })
}

/** What changes come to, zone by zone. */
export function growthByZone(
  {
    changes,
    moves = [],
  }: { readonly changes: readonly Change[]; readonly moves?: readonly Move[] | undefined },
  around: Around,
): ReadonlyMap<string, Growth> {
  const sheet = createSheet(around)
  const movedTo = new Set(moves.map(({ to }) => to))
  for (const change of changes) {
    const place = placeOf(change.path)
    const path = change.path.slice(clientsDirectory.length + 1)
    if (change.kind === 'delete' && (place.kind === 'asset' || isDirectory(place.kind)))
      sheet.remove(path)
    if (change.kind === 'put' && place.kind === 'asset')
      sheet.put(place.path, change.blob.sizeBytes, isMoved(change.path, movedTo))
  }
  return sheet.drafts
}

/** Of a zone, or of `v1` itself. */
const isDirectory = (kind: ReturnType<typeof placeOf>['kind']): boolean =>
  kind === 'zone' || kind === 'other'

function createSheet({ shown, under, zones }: Around) {
  const drafts = new Map<string, Draft>()
  const pathsByZone = new Map<string, readonly string[]>()

  const draftOf = (zone: string): Draft => {
    const draft = drafts.get(zone) ?? {
      bytes: 0,
      shrunkBytes: 0,
      files: 0,
      uploads: 0,
      sizes: new Map(),
      befores: new Map(),
    }
    drafts.set(zone, draft)
    return draft
  }

  function sizeAt(zone: string, path: string): number | undefined {
    const own = drafts.get(zone)?.sizes
    if (own?.has(path) === true) return own.get(path)
    const before = under.findLast((each) => each.get(zone)?.sizes.has(path) === true)
    return before === undefined ? shown.asset(path)?.sizeBytes : before.get(zone)?.sizes.get(path)
  }

  function set(path: string, size: number | undefined): void {
    const zone = zoneOf(path as AssetPath)
    const before = sizeAt(zone, path)
    const draft = draftOf(zone)
    draft.bytes += (size ?? 0) - (before ?? 0)
    if (size !== undefined) draft.shrunkBytes += Math.max(0, (before ?? 0) - size)
    draft.files += Number(size !== undefined) - Number(before !== undefined)
    if (!draft.sizes.has(path)) draft.befores.set(path, before)
    draft.sizes.set(path, size)
  }

  const shownPaths = (zone: string): readonly string[] => {
    const paths = pathsByZone.get(zone) ?? shown.zoneFiles(zone).map(({ path }) => path)
    pathsByZone.set(zone, paths)
    return paths
  }

  return {
    drafts,
    put(path: AssetPath, size: number, isMove: boolean): void {
      if (!zones.has(zoneOf(path))) return
      set(path, size)
      if (!isMove) draftOf(zoneOf(path)).uploads += 1
    },
    /** Whatever is at a path or below it. */
    remove(path: string): void {
      const zone = path.split('/', 1)[0] ?? ''
      if (!zones.has(zone)) return
      if (sizeAt(zone, path) !== undefined) return set(path, undefined)
      const known = [...under.map((each) => each.get(zone)), drafts.get(zone)]
      const others = known.flatMap((each) => [...(each?.sizes.keys() ?? [])])
      const below = `${path}/`
      const named = new Set(others.filter((each) => each.startsWith(below)))
      for (const each of [...runBelow(shownPaths(zone), below), ...named]) set(each, undefined)
    },
  }
}

/** The run of paths that begin so, of paths in order. */
function runBelow(paths: readonly string[], prefix: string): readonly string[] {
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((paths[middle] ?? '') < prefix) low = middle + 1
    else high = middle
  }
  let end = low
  while (paths[end]?.startsWith(prefix) === true) end += 1
  return paths.slice(low, end)
}

/** Itself, or a directory that it is in. */
const isMoved = (path: string, movedTo: ReadonlySet<string>): boolean =>
  movedTo.size > 0 &&
  [...path.matchAll(/\/|$/gu)].some(({ index }) => movedTo.has(path.slice(0, index)))
