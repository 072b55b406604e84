import { createHash } from 'node:crypto'

import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { Log } from '../../../lib/log.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  ContentDigest,
  ContentDigestStore,
} from '../../../ports/objects/content-digest-store.ts'
import { ServiceError } from '../../errors.ts'

/** Other hashes of stored bytes than their SHA-256. */
export interface ContentDigests extends AsyncDisposable {
  /** What is known without waiting. */
  known(sha256: string): ContentDigest | undefined
  /** Of each that is asked for, made of the bytes where nobody has made it before. */
  of(sha256s: readonly string[]): Promise<ReadonlyMap<string, ContentDigest>>
  /**
   * For bytes that came by: known from now on, and kept soon. Where a kill comes first it is made of the
   * bytes again, so nobody waits for it.
   */
  note(digest: ContentDigest): void
  /** Of bytes that are gone. */
  forget(sha256: string): Promise<void>
}

interface Dependencies {
  readonly store: ContentDigestStore
  readonly bytes: Pick<BlobStore, 'open'>
  /** Runs something later, unless it is cancelled. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly log: Pick<Log, 'warn'>
}

const maxKnown = 50_000
const readAtOnce = 2
const keptAfterMs = 100
/** So many that wait to be kept are kept at once. */
const maxWaiting = 1_000

const nothing: ContentDigest = {
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  md5: 'd41d8cd98f00b204e9800998ecf8427e',
}

export function createContentDigests(dependencies: Dependencies): ContentDigests {
  const { store, bytes } = dependencies
  const digests = new LruCache<ContentDigest>({ maxWeight: maxKnown, weigh: () => 1 })
  const flights = createSingleFlight<ContentDigest>()
  const writing = createWriting(dependencies)

  /** No bytes at all need not be stored anywhere. */
  const known = (sha256: string): ContentDigest | undefined =>
    sha256 === nothing.sha256 ? nothing : digests.get(sha256)

  function note(digest: ContentDigest): void {
    const { checksum = digests.get(digest.sha256)?.checksum } = digest
    const all = checksum === undefined ? digest : { ...digest, checksum }
    digests.set(digest.sha256, all)
    writing.add(all)
  }

  const make = (sha256: string) =>
    flights.share(sha256, async () => {
      const digest = { sha256, md5: await md5Of(sha256, bytes) }
      note(digest)
      return digest
    })

  return {
    known,
    note,
    async of(sha256s) {
      const found = new Map<string, ContentDigest>()
      const take = (digest: ContentDigest | undefined) => digest && found.set(digest.sha256, digest)
      for (const sha256 of sha256s) take(known(sha256))
      const unknown = () => [...new Set(sha256s)].filter((sha256) => !found.has(sha256))
      if (unknown().length > 0)
        for (const digest of await store.find(unknown())) {
          digests.set(digest.sha256, digest)
          take(digest)
        }
      await mapConcurrently(unknown(), readAtOnce, async (sha256) => void take(await make(sha256)))
      return found
    },
    async forget(sha256) {
      digests.delete(sha256)
      await store.remove(sha256)
    },
    [Symbol.asyncDispose]: () => writing.end(),
  }
}

/** Many are kept at once, one such write after another. */
function createWriting({ store, after, log }: Pick<Dependencies, 'store' | 'after' | 'log'>) {
  let waiting = new Map<string, ContentDigest>()
  let writes = Promise.resolve()
  let cancel: (() => void) | undefined

  function write(): Promise<void> {
    cancel?.()
    cancel = undefined
    const digests = [...waiting.values()]
    waiting = new Map()
    writes = writes
      .then(() => store.save(digests))
      .catch((error: unknown) =>
        log.warn('digests of contents could not be kept', { count: digests.length, error }),
      )
    return writes
  }

  return {
    add(digest: ContentDigest): void {
      waiting.set(digest.sha256, digest)
      if (waiting.size >= maxWaiting) void write()
      else cancel ??= after(keptAfterMs, () => void write())
    },
    end: write,
  }
}

async function md5Of(sha256: string, bytes: Pick<BlobStore, 'open'>): Promise<string> {
  const blob = await bytes.open(sha256)
  if (blob === undefined)
    throw new ServiceError('Unavailable', 'The bytes of an object cannot be read right now')
  const hash = createHash('md5')
  for await (const chunk of blob.stream()) hash.update(chunk)
  return hash.digest('hex')
}
