import { createSingleFlight } from '../../lib/async/single-flight.ts'
import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { VariantStore } from '../../ports/media/variant-store.ts'
import { codings, encode, type Coding } from './encode.ts'
import { type HeldBytes, holdBytes } from '../../lib/bytes/held-bytes.ts'

export interface CodedBytes {
  readonly coding: Coding
  readonly held: HeldBytes
  readonly sizeBytes: number
  /** Base64 SHA-256 of the coded bytes, for `Repr-Digest`. */
  readonly digest: string
}

/** The codings of some bytes that are worth sending, smallest first; maybe none. */
export type CodedSet = readonly CodedBytes[]

export interface CodingSource {
  readonly sha256: string
  readonly sizeBytes: number
}

/** Coded forms of stored bytes, made once and away from the path of a request. */
export interface Codings {
  /** What is made already. */
  find(sha256: string): CodedSet | undefined
  /**
   * Makes them unless they are there or too much else waits to be made; asking twice makes them once.
   * Answers `undefined` where nothing was made. Never fails.
   */
  make(source: CodingSource, maxWaiting?: number): Promise<CodedSet | undefined>
  /** Leaves nothing in memory. */
  clear(): void
  readonly waiting: number
}

interface Options {
  readonly blobs: Pick<BlobStore, 'read'>
  /** Where they outlive the process. */
  readonly variants?: VariantStore | undefined
  readonly maxBytes: number
}

/** Larger sources are sent as they are: coding them would hold too much memory for too long. */
const maxSourceBytes = 8 * 1024 * 1024
const defaultMaxWaiting = 1000
/** What a coded form must save to be worth its own header fields, its room and its second ETag. */
const minSavedShare = 0.05
const minSavedBytes = 32
const setOverheadBytes = 512

export function createCodings({ blobs, variants, maxBytes }: Options): Codings {
  const sets = createS3FifoCache<CodedSet>(maxBytes)
  const pending = createSingleFlight<CodedSet | undefined>()
  let last: Promise<unknown> = Promise.resolve()

  async function makeNow({ sha256 }: CodingSource): Promise<CodedSet | undefined> {
    const source = lazily(() => readWhole(blobs, sha256))
    const made: CodedBytes[] = []
    for (const coding of codings) {
      const coded = await codedForm({ sha256, coding, source, variants })
      if (coded !== undefined) made.push(coded)
    }
    const set = made.toSorted((a, b) => a.sizeBytes - b.sizeBytes)
    const weight = set.reduce((sum, { sizeBytes }) => sum + sizeBytes, setOverheadBytes)
    sets.set(sha256, set, weight)
    return set
  }

  return {
    find: (sha256) => sets.get(sha256),
    make(source, maxWaiting = defaultMaxWaiting) {
      const { sha256, sizeBytes } = source
      const known = sets.get(sha256)
      if (known !== undefined) return Promise.resolve(known)
      const isTooMuch = pending.count >= maxWaiting || sizeBytes > maxSourceBytes
      if (isTooMuch && !pending.has(sha256)) return Promise.resolve(undefined)
      return pending.share(sha256, () => {
        const making = last.then(() => makeNow(source)).catch(() => undefined)
        last = making
        return making
      })
    },
    clear: () => sets.clear(),
    get waiting() {
      return pending.count
    },
  }
}

interface Wanted {
  readonly sha256: string
  readonly coding: Coding
  readonly source: () => Promise<Uint8Array>
  readonly variants: VariantStore | undefined
}

async function codedForm(wanted: Wanted): Promise<CodedBytes | undefined> {
  const { sha256, coding, source, variants } = wanted
  const key = digestOf(`coding ${coding} 1 ${sha256}`, 'hex')
  const kept = await variants?.get(key)
  if (kept !== undefined) return toCoded(coding, Uint8Array.from(kept.bytes))
  const bytes = await source()
  const coded = await encode(bytes, coding)
  const maxUseful = Math.min(bytes.length * (1 - minSavedShare), bytes.length - minSavedBytes)
  if (coded.length > maxUseful) return undefined
  await variants?.put({
    key,
    sourceSha256: sha256,
    contentType: 'application/octet-stream',
    bytes: coded,
    digest: digestOf(coded, 'hex').slice(0, 32),
    notes: [],
  })
  return toCoded(coding, coded)
}

async function readWhole(blobs: Pick<BlobStore, 'read'>, sha256: string): Promise<Uint8Array> {
  const bytes = await blobs.read(sha256)
  if (bytes === undefined) throw new Error(`There is no blob ${sha256}`)
  return bytes
}

const toCoded = (coding: Coding, bytes: Uint8Array<ArrayBuffer>): CodedBytes => ({
  coding,
  held: holdBytes(bytes),
  sizeBytes: bytes.length,
  digest: digestOf(bytes, 'base64'),
})

const digestOf = (data: string | Uint8Array, encoding: 'hex' | 'base64'): string =>
  new Bun.CryptoHasher('sha256').update(data).digest(encoding)

function lazily<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => (reading ??= read())
}
