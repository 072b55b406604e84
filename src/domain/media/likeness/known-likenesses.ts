import { setImmediate } from 'node:timers/promises'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { Feed, Manifest } from '../../../ports/records/manifest.ts'
import { type Bits, bitsOf } from './bits.ts'
import { createHammingIndex } from './hamming-index.ts'
import { isImageFormat, isStillFormat } from '../stills/still-formats.ts'

export interface SimilarPath {
  readonly path: string
  /** How many of 128 bits differ. */
  readonly distance: number
}

type Image = Pick<AssetRecord, 'path' | 'sha256'>

export interface SimilarQuery {
  readonly distance: number
  readonly limit: number
  readonly accepts: (path: string) => boolean
}

/** What the published images look like, in memory, each by its path. */
export interface KnownLikenesses extends AsyncDisposable {
  /** The nearest first. */
  similar(bits: Bits, query: SimilarQuery): readonly SimilarPath[]
  /** `undefined` where it is not known, or there is nothing to compare. */
  ofPath(path: string): Bits | undefined
  /**
   * Takes up what an image looks like before anybody tells of it, for all of the same bytes that were published since
   * the start; nothing where its path has other bytes by now.
   */
  note(image: Image, likeness: string): Promise<void>
}

interface Dependencies {
  /** What is kept of images that have been looked at, by their SHA-256. */
  readonly kept: (sha256s: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly published: Pick<Manifest, 'asset'>
  readonly all: () => Iterable<AssetRecord>
  readonly feed: Pick<Feed, 'subscribe'>
  /** Tells the path of each image that has been looked at. */
  readonly subscribe: (listener: (path: string) => void) => Disposable
  readonly onFault: (error: unknown) => void
}

const readAtOnce = 200
/** What is more than this is known when it is its turn to be looked at. */
const maxAwaited = 10_000

const hasLook = ({ format }: AssetRecord): boolean => isImageFormat(format) || isStillFormat(format)

/** Follows what is published: read once at the start, in slices, then change by change. */
export function createKnownLikenesses(dependencies: Dependencies): KnownLikenesses {
  const { published, feed, subscribe, onFault } = dependencies
  const places = createPlaces()
  const stopping = new AbortController()
  const reading = createReading(dependencies, places)

  function take(entries: readonly FeedEntry[]): void {
    const changed = new Set<string>()
    for (const { event, path, zone } of entries) {
      if (event === 'zone.deleted')
        places.removeThose((known) => known.startsWith(`${zone}/`) && !published.asset(known))
      if (path === undefined || !event.startsWith('asset.')) continue
      if (published.asset(path) === undefined) places.remove(path)
      else changed.add(path)
    }
    reading.readChanged(changed)
  }

  const subscriptions = [feed.subscribe(take), subscribe((path) => reading.readChanged([path]))]
  const readAll = reading.readAll(stopping.signal).catch(onFault)
  return {
    similar: places.similar,
    ofPath: places.bitsOf,
    async note(image, likeness) {
      await reading.settled()
      reading.put(image, likeness)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      for (const subscription of subscriptions) subscription[Symbol.dispose]()
      await readAll
    },
  }
}

/** Puts what is kept of images to their paths. What has changed while it was looked up is left to the change. */
function createReading(
  { kept, published, all, onFault }: Dependencies,
  places: ReturnType<typeof createPlaces>,
) {
  const copies = createAwaitedCopies()
  const readings = new Set<Promise<void>>()

  function putAt({ path, sha256 }: Image, likeness: string | undefined): void {
    if (published.asset(path)?.sha256 === sha256) places.put(path, likeness)
  }

  /** With it those of the same bytes. */
  function put(image: Image, likeness: string): void {
    putAt(image, likeness)
    for (const path of copies.take(image.sha256)) putAt({ path, sha256: image.sha256 }, likeness)
  }

  const likenessesOf = async (images: readonly AssetRecord[]) =>
    await kept([...new Set(images.map(({ sha256 }) => sha256))])

  async function read(images: readonly AssetRecord[]): Promise<void> {
    const likenesses = await likenessesOf(images)
    for (const { path, sha256 } of images) {
      const likeness = likenesses.get(sha256)
      if (likeness !== undefined) put({ path, sha256 }, likeness)
      else {
        putAt({ path, sha256 }, undefined)
        copies.add({ path, sha256 })
      }
    }
  }

  return {
    put,
    /** Resolves once what has been read of changes is known. */
    settled: async () => void (await Promise.all(readings)),
    readChanged(paths: Iterable<string>): void {
      const assets = [...paths].flatMap((path) => published.asset(path) ?? [])
      const images = assets.filter(hasLook)
      for (let at = 0; at < images.length; at += readAtOnce) {
        const reading = read(images.slice(at, at + readAtOnce)).catch(onFault)
        readings.add(reading)
        void reading.finally(() => readings.delete(reading))
      }
    },
    /** Of a million images it takes longer to note which are awaited than to read the others. */
    async readAll(signal: AbortSignal): Promise<void> {
      for (const slice of slicesOf(all(), hasLook)) {
        const likenesses = await likenessesOf(slice)
        for (const { path, sha256 } of slice) putAt({ path, sha256 }, likenesses.get(sha256))
        await setImmediate()
        if (signal.aborted) return
      }
    },
  }
}

function* slicesOf(
  assets: Iterable<AssetRecord>,
  isMeant: (asset: AssetRecord) => boolean,
): Generator<readonly AssetRecord[]> {
  let slice: AssetRecord[] = []
  for (const asset of assets) {
    if (isMeant(asset)) slice.push(asset)
    if (slice.length < readAtOnce) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

/** Which paths have bytes that nobody has looked at. */
function createAwaitedCopies() {
  const pathsBySha256 = new Map<string, Set<string>>()
  return {
    add({ path, sha256 }: Image): void {
      const paths = pathsBySha256.get(sha256)
      if (paths) return void (paths.size < maxAwaited && paths.add(path))
      const [oldest] = pathsBySha256.keys()
      if (pathsBySha256.size >= maxAwaited && oldest !== undefined) pathsBySha256.delete(oldest)
      pathsBySha256.set(sha256, new Set([path]))
    },
    take(sha256: string): Iterable<string> {
      const paths = pathsBySha256.get(sha256) ?? []
      pathsBySha256.delete(sha256)
      return paths
    },
  }
}

/** Which path has which slot of the index. */
function createPlaces() {
  const index = createHammingIndex()
  const slotByPath = new Map<string, number>()
  const pathBySlot: string[] = []

  function remove(path: string): void {
    const slot = slotByPath.get(path)
    if (slot === undefined) return
    index.remove(slot)
    slotByPath.delete(path)
    pathBySlot[slot] = ''
  }

  return {
    remove,
    removeThose(isGone: (path: string) => boolean): void {
      for (const path of slotByPath.keys()) if (isGone(path)) remove(path)
    },
    bitsOf: (path: string): Bits | undefined => {
      const slot = slotByPath.get(path)
      return slot === undefined ? undefined : index.bitsOf(slot)
    },
    put(path: string, likeness: string | undefined): void {
      remove(path)
      if (likeness === undefined || likeness === '') return
      const slot = index.add(bitsOf(likeness))
      slotByPath.set(path, slot)
      pathBySlot[slot] = path
    },
    similar: (bits: Bits, { accepts, ...query }: SimilarQuery): readonly SimilarPath[] =>
      index
        .nearest(bits, { ...query, accepts: (slot) => accepts(pathBySlot[slot] ?? '') })
        .map(({ slot, distance }) => ({ path: pathBySlot[slot] ?? '', distance })),
  }
}
