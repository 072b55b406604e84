import { createSingleFlight } from '../../lib/async/single-flight.ts'
import { holdBytes, type HeldBytes } from '../../lib/bytes/held-bytes.ts'
import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { VariantStore } from '../../ports/media/variant-store.ts'
import { isDictionary } from './dictionaries.ts'
import { encodeDelta } from './encode-delta.ts'
import {
  createFormerContents,
  type FormerContent,
  type FormerContentsOf,
} from './former-contents.ts'

/** What is stored at a path. */
export interface DeltaTarget {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly contentType: string
}

/** Some bytes as what they have beyond others. */
export interface Delta {
  readonly held: HeldBytes
  readonly sizeBytes: number
  /** Base64 SHA-256 of the delta itself. */
  readonly digest: string
}

/** What stored bytes have beyond what stood at their path before, made once and away from the path of a request. */
export interface Deltas {
  /** `undefined` where there is none, yet or at all. */
  find(target: DeltaTarget, from: string): Delta | undefined
  /** Has one made where `from` stood at the path, unless too much else waits to be made. */
  want(target: DeltaTarget, from: string): void
  /** Makes the one from what stood there last, before anybody asks. */
  prepare(target: DeltaTarget): void
  /** To be told of what is about to be delivered. */
  note(target: DeltaTarget): void
  /** Leaves nothing in memory. */
  clear(): void
  /** Resolves once nothing waits to be made. */
  settled(): Promise<void>
}

interface Options {
  readonly blobs: Pick<BlobStore, 'open' | 'read'>
  /** Where they outlive the process. */
  readonly variants?: VariantStore | undefined
  readonly formerContentsOf?: FormerContentsOf | undefined
  readonly maxBytes: number
}

const maxWaiting = 64
const overheadBytes = 512
/** What a delta must save of the bytes themselves: beyond that it is sent where it is the smallest form. */
const maxShare = 0.5

export function createDeltas(options: Options): Deltas {
  const { formerContentsOf, maxBytes } = options
  const deltas = createS3FifoCache<Delta | 'none'>(maxBytes)
  const formers = createFormerContents(formerContentsOf)
  const flights = createSingleFlight<void>()
  let last: Promise<void> = Promise.resolve()

  async function make(target: DeltaTarget, from: FormerContent): Promise<void> {
    const delta = await deltaOf({ target, from }, options).catch(() => undefined)
    const weight = overheadBytes + (delta?.sizeBytes ?? 0)
    deltas.set(keyOf(target, from.sha256), delta ?? 'none', weight)
  }

  /** One after another: nobody waits for them. */
  function later(name: string, act: () => Promise<void>): void {
    if (flights.count >= maxWaiting || flights.has(name)) return
    void flights.share(name, () => {
      last = last.then(act).catch(() => undefined)
      return last
    })
  }

  async function makeFrom(target: DeltaTarget, isWanted: (former: FormerContent) => boolean) {
    const { path, sha256 } = target
    const known = formers.known(path, sha256) ?? (await formers.lookUp(path, sha256))
    const former = known.find(isWanted)
    if (former !== undefined && deltas.get(keyOf(target, former.sha256)) === undefined)
      await make(target, former)
  }

  return {
    find(target, from) {
      const delta = deltas.get(keyOf(target, from))
      return delta === 'none' ? undefined : delta
    },
    want(target, from) {
      if (from === target.sha256 || deltas.get(keyOf(target, from)) !== undefined) return
      const known = formers.known(target.path, target.sha256)
      if (known?.every(({ sha256 }) => sha256 !== from) === true) return
      later(keyOf(target, from), () => makeFrom(target, ({ sha256 }) => sha256 === from))
    },
    prepare(target) {
      if (isDictionary(target)) later(keyOf(target, 'last'), () => makeFrom(target, () => true))
    },
    note: (target) => formers.note(target.path, target),
    clear: () => deltas.clear(),
    settled: () => last,
  }
}

interface Pair {
  readonly target: DeltaTarget
  readonly from: FormerContent
}

/** From where it is kept, or made now; `undefined` where there is no use in one. */
async function deltaOf(
  { target, from }: Pair,
  { blobs, variants }: Pick<Options, 'blobs' | 'variants'>,
): Promise<Delta | undefined> {
  const { contentType } = target
  if (!isDictionary({ contentType, sizeBytes: from.sizeBytes })) return undefined
  const key = digestOf(`coding dcz 1 ${from.sha256} ${target.sha256}`, 'hex')
  // Whose bytes are erased has nothing made of them, not even what they lack.
  const dictionary = await blobs.read(from.sha256)
  const bytes = await blobs.read(target.sha256)
  if (dictionary === undefined || bytes === undefined) return undefined
  const before = await variants?.get(key)
  const coded =
    before?.bytes ?? (await encodeDelta(bytes, { bytes: dictionary, sha256: from.sha256 }))
  if (coded.length > bytes.length * maxShare) return undefined
  if (before === undefined)
    await variants?.put({
      key,
      sourceSha256: target.sha256,
      contentType: 'application/octet-stream',
      bytes: coded,
      digest: digestOf(coded, 'hex').slice(0, 32),
      notes: [],
    })
  const held = holdBytes(Uint8Array.from(coded))
  return { held, sizeBytes: coded.length, digest: digestOf(coded, 'base64') }
}

const keyOf = ({ sha256 }: DeltaTarget, from: string): string => `${from} ${sha256}`

const digestOf = (data: string | Uint8Array, encoding: 'hex' | 'base64'): string =>
  new Bun.CryptoHasher('sha256').update(data).digest(encoding)
