import { readdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import { releaseBytes } from '../bytes/byte-streams.ts'
import { createSingleFlight, type SingleFlight } from '../async/single-flight.ts'
import { Slots } from '../async/slots.ts'
import { LruCache } from '../collections/lru-cache.ts'
import { type ContentFiles, WrongContentError } from './content-files.ts'
import { type NameMeaning, writeHashed } from './content-folders.ts'
import { ifPresent } from './file-faults.ts'
import { beginningIn, FirstPieces } from './first-pieces.ts'
import { type FetchSlice, SlicedBytes, type SlicedFile, type Span } from './sliced-bytes.ts'

interface Options {
  /** Where slices lie among whole files, in one bound. Names must mean what {@link sliceMeaning} says. */
  readonly files: ContentFiles
  readonly fetchSlice: FetchSlice
  /** Has work done that nobody waits for, in a moment. */
  readonly soon?: (work: () => void) => void
}

/** What is kept, or leaves, as one. */
export const sliceBytes = 2 ** 20
/** Each is in memory until it is written. */
const fetchesAtOnce = 16
/** A file of 5 GiB has 5,120 slices. */
const maxKnownSlices = 500_000

const slicePattern =
  /^(?<sha256>[0-9a-f]{64})-(?<size>\d{1,15})-(?<place>\d{1,9})-(?<digest>[0-9a-f]{64})$/u

/** A slice is named by the file, its size, the place of the slice, and the SHA-256 of the slice itself. */
export function sliceMeaning(name: string): NameMeaning | undefined {
  const digest = slicePattern.exec(name)?.groups?.['digest']
  return digest === undefined ? undefined : { digest }
}

interface KnownSlices {
  readonly sizeBytes: number
  /** Digests by place, of those that were here once. */
  readonly digests: Map<number, string>
}

/**
 * Large files of which only those slices are fetched that are asked for: once for all who wait, and kept
 * beside other files until their room is needed. A slice is believed as whoever hands it out is; what is
 * kept of it is checked like every other file, and must come back the same when it is fetched again.
 */
export class SlicedFiles implements Disposable {
  readonly #files: ContentFiles
  readonly #fetchSlice: FetchSlice
  readonly #known = new LruCache<KnownSlices>({
    maxWeight: maxKnownSlices,
    weigh: ({ sizeBytes }) => 1 + sizeBytes / sliceBytes,
  })
  readonly #lookUps: SingleFlight<Map<number, string>> = createSingleFlight()
  readonly #fetches: SingleFlight<Uint8Array<ArrayBuffer>> = createSingleFlight()
  readonly #slots = new Slots(fetchesAtOnce)
  readonly #firstPieces: FirstPieces
  readonly #soon: (work: () => void) => void
  #isOver = false

  constructor({ files, fetchSlice, soon = inAMoment }: Options) {
    this.#files = files
    this.#soon = soon
    this.#fetchSlice = async (file, span, signal) => {
      const bytes = await fetchSlice(file, span, signal)
      const wanted = span.end - span.start
      if (bytes.length === wanted) return bytes
      throw new WrongContentError(`${bytes.length} of ${wanted} bytes came of ${file.sha256}`)
    }
    this.#firstPieces = new FirstPieces(this.#fetchSlice)
  }

  /** Nothing is begun any more that nobody waits for. */
  [Symbol.dispose](): void {
    this.#isOver = true
  }

  /** The size of a file of which at least one slice is here. */
  async sizeOf(sha256: string): Promise<number | undefined> {
    return (this.#known.get(sha256) ?? (await this.#lookUp(sha256)))?.sizeBytes
  }

  /** The bytes of a file, none of which is fetched before it is read. */
  open(file: SlicedFile): SlicedBytes {
    return new SlicedBytes(
      {
        read: (span, signal) => this.#read(file, span, signal),
        // Whoever comes to read it hears of what went wrong.
        fetchAhead: (offset, signal) => void this.#fetchAhead(file, offset, signal).catch(() => {}),
      },
      { sliceBytes, start: 0, end: file.sizeBytes },
    )
  }

  /** Removes what is here of a file. */
  async remove(sha256: string): Promise<void> {
    const found = await this.#lookUp(sha256)
    this.#known.delete(sha256)
    for (const [place, digest] of found?.digests ?? [])
      await this.#files.remove(nameOf({ sha256, sizeBytes: found?.sizeBytes ?? 0 }, place, digest))
  }

  /** Of a span that lies within one slice: all of it, or so much of its beginning as comes first. */
  async #read(
    file: SlicedFile,
    span: Span,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const place = Math.floor(span.start / sliceBytes)
    const kept = await this.#readKept(file, place, span)
    if (kept !== undefined) return kept
    const first = await this.#readFirst(file, place, { span, signal })
    if (first !== undefined) return first
    const fetched = await this.#share(file, place, signal)
    const offset = place * sliceBytes
    // A view would hold the whole slice for as long as its reader takes.
    return fetched.slice(span.start - offset, span.end - offset)
  }

  async #readKept(file: SlicedFile, place: number, { start, end }: Span) {
    const kept = await this.#find(file, place)
    if (kept === undefined) return undefined
    const offset = place * sliceBytes
    const part = Bun.file(kept).slice(start - offset, end - offset)
    const bytes = await ifPresent(part.bytes())
    return bytes?.length === end - start ? bytes : undefined
  }

  /**
   * From a small piece that is asked for by itself. The slice is fetched once its reader has come to
   * more of it, or in a moment. `undefined` where the slice is on its way already; and where it was here
   * once: only the whole shows that it is the same.
   */
  async #readFirst(
    file: SlicedFile,
    place: number,
    { span, signal }: { readonly span: Span; readonly signal: AbortSignal | undefined },
  ): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const key = keyOf(file, place)
    const held = this.#firstPieces.held(key)
    if (held !== undefined) return beginningIn(held, span)
    if (this.#fetches.has(key) || (await this.#slicesOf(file)).has(place)) return undefined
    const sliceEnd = Math.min((place + 1) * sliceBytes, file.sizeBytes)
    const first = await this.#firstPieces.fetch(key, file, { span, sliceEnd, signal })
    this.#soon(() => {
      if (this.#isOver || signal?.aborted === true) return
      // Whoever comes to read it hears of what went wrong.
      this.#fetchAhead(file, span.start, signal).catch(() => {})
    })
    return first
  }

  async #fetchAhead(
    file: SlicedFile,
    offset: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const place = Math.floor(offset / sliceBytes)
    if ((await this.#find(file, place)) === undefined) await this.#share(file, place, signal)
  }

  async #find(file: SlicedFile, place: number): Promise<string | undefined> {
    const digest = (await this.#slicesOf(file)).get(place)
    return digest === undefined
      ? undefined
      : (await this.#files.find(nameOf(file, place, digest)))?.path
  }

  async #share(file: SlicedFile, place: number, signal: AbortSignal | undefined) {
    const { value } = await this.#fetches.run(keyOf(file, place), signal, (leaving) =>
      this.#fetch(file, place, leaving),
    )
    return value
  }

  async #fetch(
    file: SlicedFile,
    place: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    using _slot = await this.#slots.take()
    signal.throwIfAborted()
    const start = place * sliceBytes
    const end = Math.min(start + sliceBytes, file.sizeBytes)
    const bytes = await this.#fetchSlice(file, { start, end }, signal)
    this.#firstPieces.check(keyOf(file, place), bytes, start)
    await this.#keep(file, place, bytes)
    // All who wait have copied their part before anything else has its turn.
    setImmediate(() => releaseBytes(bytes))
    return bytes
  }

  async #keep(file: SlicedFile, place: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const digests = await this.#slicesOf(file)
    const incoming = this.#files.newPath()
    try {
      const digest = (await writeHashed(once(bytes), incoming)).digest('hex')
      const former = digests.get(place)
      if (former !== undefined && former !== digest) {
        digests.delete(place)
        throw new WrongContentError(`Other bytes came of ${file.sha256} than before`)
      }
      await this.#files.adopt(incoming, nameOf(file, place, digest))
      digests.set(place, digest)
    } catch (error) {
      await rm(incoming, { force: true })
      throw error
    }
  }

  /** Digests by place, of those that were here once. */
  async #slicesOf({ sha256, sizeBytes }: SlicedFile): Promise<Map<number, string>> {
    const known = this.#known.get(sha256)
    if (known?.sizeBytes === sizeBytes) return known.digests
    return await this.#lookUps.share(`${sha256} ${sizeBytes}`, async () => {
      const found = await this.#lookUp(sha256)
      const digests = found?.sizeBytes === sizeBytes ? found.digests : new Map<number, string>()
      this.#known.set(sha256, { sizeBytes, digests })
      return digests
    })
  }

  /** What an earlier process, or another one, has left. */
  async #lookUp(sha256: string): Promise<KnownSlices | undefined> {
    const folder = dirname(this.#files.pathOf(sha256))
    const digests = new Map<number, string>()
    let sizeBytes: number | undefined
    for (const name of (await ifPresent(readdir(folder))) ?? []) {
      const groups = name.startsWith(sha256) ? slicePattern.exec(name)?.groups : undefined
      if (groups === undefined) continue
      digests.set(Number(groups['place']), groups['digest'] ?? '')
      sizeBytes = Number(groups['size'])
    }
    return sizeBytes === undefined ? undefined : { sizeBytes, digests }
  }
}

/** So long the first bytes have both machines to themselves. */
const aMomentMs = 20

const inAMoment = (work: () => void): void => void setTimeout(work, aMomentMs).unref()

const keyOf = ({ sha256 }: SlicedFile, place: number): string => `${sha256} ${place}`

const nameOf = ({ sha256, sizeBytes }: SlicedFile, place: number, digest: string): string =>
  `${sha256}-${sizeBytes}-${place}-${digest}`

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
