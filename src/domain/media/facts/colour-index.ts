import { setImmediate } from 'node:timers/promises'

import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import type { Size } from '../../../ports/media/renderer.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { isImageFormat, isStillFormat } from '../stills/still-formats.ts'

/** The colours of images, in memory, to list assets by. */
export interface ColourIndex extends AsyncDisposable {
  /** Differs after every change. */
  readonly version: number
  /** The names of those that there is much of; none while nobody has looked. */
  namesOf(sha256: string): readonly string[]
  /** Whether it goes beyond white; not while nobody has looked. */
  isHdr(sha256: string): boolean
  /** In pixels; of what is no image, and while nobody has looked, `undefined`. */
  sizeOf(sha256: string): Size | undefined
}

interface Dependencies {
  readonly known: (sha256: string) => Promise<MediaFacts | undefined>
  /** Told which ones are asked for next, many at once; nobody is where it is left out. */
  readonly recall?: (sha256s: readonly string[]) => Promise<void>
  readonly published: Pick<Manifest, 'asset'>
  readonly all: () => Iterable<AssetRecord>
  /** Tells the path of each image that has been looked at. */
  readonly subscribe: (listener: (path: string) => void) => Disposable
  readonly onFault: (error: unknown) => void
}

/** Less of a colour is not what an image looks like. */
const minShare = 0.08
const readAtOnce = 100

const hasColours = ({ format }: AssetRecord): boolean =>
  isImageFormat(format) || isStillFormat(format)

/** What was found before is read in the background, what is found from now on as it is found. */
export function createColourIndex(dependencies: Dependencies): ColourIndex {
  const { known, recall, published, all, subscribe, onFault } = dependencies
  const namesBySha256 = new Map<string, readonly string[]>()
  const hdr = new Set<string>()
  const sizes = createSizes()
  const pool = new Map<string, readonly string[]>()
  const stopping = new AbortController()
  let version = 0

  async function read(asset: AssetRecord | undefined): Promise<void> {
    if (asset === undefined || !hasColours(asset)) return
    const facts = await known(asset.sha256)
    if (facts === undefined) return
    if (facts.header.carried?.hdr) hdr.add(asset.sha256)
    rememberSize(asset, facts.header)
    const { analysis, summary = analysis } = facts
    if (summary) remember(asset, summary)
  }

  function remember(asset: AssetRecord, { colors }: ImageSummary): void {
    const names = colors.filter(({ share }) => share > minShare).map(({ name }) => name)
    const key = names.join()
    if (!pool.has(key)) pool.set(key, names)
    namesBySha256.set(asset.sha256, pool.get(key) ?? names)
    version += 1
  }

  /** Of a still it would be that of no image that anybody has. */
  function rememberSize({ sha256, format }: AssetRecord, size: Size): void {
    if (isImageFormat(format) && sizes.add(sha256, size)) version += 1
  }

  async function readAll(): Promise<void> {
    let slice: AssetRecord[] = []
    for (const asset of all()) {
      if (hasColours(asset)) slice.push(asset)
      if (slice.length < readAtOnce) continue
      await readTogether(slice)
      slice = []
      await setImmediate()
      if (stopping.signal.aborted) return
    }
    await readTogether(slice)
  }

  async function readTogether(assets: readonly AssetRecord[]): Promise<void> {
    await recall?.(assets.map(({ sha256 }) => sha256))
    for (const asset of assets) await read(asset)
  }

  const subscription = subscribe((path) => void read(published.asset(path)).catch(onFault))
  const reading = readAll().catch(onFault)
  return {
    get version() {
      return version
    },
    namesOf: (sha256) => namesBySha256.get(sha256) ?? [],
    isHdr: (sha256) => hdr.has(sha256),
    sizeOf: (sha256) => sizes.get(sha256),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      subscription[Symbol.dispose]()
      await reading
    },
  }
}

/** Both numbers in one: there may be many images. */
function createSizes() {
  const bySha256 = new Map<string, number>()
  return {
    /** Answers whether it was not known. */
    add(sha256: string, { width, height }: Size): boolean {
      if (bySha256.has(sha256)) return false
      bySha256.set(sha256, width * maxSide + height)
      return true
    },
    get(sha256: string): Size | undefined {
      const both = bySha256.get(sha256)
      return both === undefined
        ? undefined
        : { width: Math.floor(both / maxSide), height: both % maxSide }
    },
  }
}

/** No image has so many pixels in a row. */
const maxSide = 2 ** 26
