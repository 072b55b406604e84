import { isScript } from '../../lib/text/media-types.ts'
import { createSingleFlight } from '../../lib/async/single-flight.ts'
import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import { createCodingChoosers } from '../codings/choose-coding.ts'
import { noPlace } from '../hits/asset-counts.ts'
import { createEntryDelta, type EntryDelta, isReplaceable } from './entry-deltas.ts'
import { createEntryValidity, type ValidityOptions } from './entry-validity.ts'
import type { Route } from '../routing/decision.ts'
import type { CodedRepresentations, Entry } from './entry.ts'
import { loadBytes, type LoadOptions } from '../response/load-bytes.ts'
import type { Refusal } from '../routing/refusals.ts'
import { holdBytes } from '../../lib/bytes/held-bytes.ts'
import type { TakenAsset } from './small-assets.ts'
import { buildRepresentation, bytesFactsOf } from '../response/build-representation.ts'
import { type Bytes, entityTag, type Representation } from '../response/representation.ts'
import type { Deltas } from '../codings/deltas.ts'

export interface Entries {
  find(key: string): Entry | undefined
  isCurrent(entry: Entry): boolean
  /**
   * Makes the entry, once for all who ask at the same time. `undefined` where the bytes are not there; a
   * refusal where they must not be sent as they are and cannot be made safe.
   */
  prepare(route: Route): Promise<Entry | Refusal | undefined>
  /** The entry of what was kept elsewhere. */
  adopt(taken: TakenAsset | undefined): Entry | undefined
  /** So much is held elsewhere of what is there for both. */
  leaveRoom(bytes: number): void
  /** What the client takes of the codings there are (RFC 9110 §12.5.3); `undefined` where nothing. */
  select(entry: Entry, acceptEncoding: string | null): Representation | undefined
  readonly delta: EntryDelta
  clear(): void
  readonly sizeBytes: number
}

interface Options extends ValidityOptions, LoadOptions {
  readonly deltas: Deltas
  readonly maxBytes: number
}

/** What an entry weighs besides its body: three sets of header fields and the map's own. */
const entryOverheadBytes = 4096

export function createEntries(options: Options): Entries {
  const { codings, deltas, purges } = options
  const cache = createS3FifoCache<Entry>(options.maxBytes)
  const loads = createSingleFlight<Entry | Refusal | undefined>()
  const chooserOf = createCodingChoosers()

  async function load(route: Route): Promise<Entry | Refusal | undefined> {
    const generation = purges?.newest ?? 0
    const loaded = await loadBytes(route, options)
    if (loaded === undefined || 'code' in loaded) return loaded
    const { bytes, isWorthCoding } = loaded
    return keep(bytes, { route, isWorthCoding, generation })
  }

  function keep(bytes: Bytes, about: About): Entry {
    const { route } = about
    const entry = newEntry(buildRepresentation(route, bytes, options), about)
    if (isReplaceable(route)) deltas.note(route.located.record)
    cache.set(route.key, entry, entryOverheadBytes + (bytes.isFile ? 0 : bytes.sizeBytes))
    return entry
  }

  function withCodings(entry: Entry): CodedRepresentations | undefined {
    if (entry.coded !== undefined) return entry.coded
    const { sha256 } = entry.route.located.record
    const set = codings.find(sha256)
    if (set === undefined) return undefined
    const byCoding = new Map(
      set.map((coded) => [
        coded.coding,
        buildRepresentation(
          entry.route,
          { ...coded, etag: entityTag(sha256, coded.coding), isFile: false },
          options,
        ),
      ]),
    )
    entry.coded = { byCoding, choose: chooserOf(set.map(({ coding }) => coding)) }
    return entry.coded
  }

  return {
    find: (key) => cache.get(key),
    isCurrent: createEntryValidity(options),
    prepare: (route) => loads.share(route.key, () => load(route)),
    select(entry, acceptEncoding) {
      const coded = withCodings(entry)
      const choice = (coded?.choose ?? chooserOf([]))(acceptEncoding)
      return choice === 'identity' || choice === undefined
        ? choice && entry.identity
        : coded?.byCoding.get(choice)
    },
    adopt: (taken) => taken && keep(storedBytes(taken), { ...taken, isWorthCoding: false }),
    leaveRoom: (bytes) => cache.resize(options.maxBytes - bytes),
    delta: createEntryDelta(deltas, options),
    clear: () => cache.clear(),
    get sizeBytes() {
      return cache.sizeBytes
    },
  }
}

const storedBytes = ({ bytes, route }: TakenAsset): Bytes => ({
  ...bytesFactsOf(route.located.record),
  held: holdBytes(bytes),
  isFile: false,
})

interface About {
  readonly route: Route
  readonly isWorthCoding: boolean
  readonly generation: number
}

function newEntry(identity: Representation, { route, isWorthCoding, generation }: About): Entry {
  return {
    route,
    identity,
    // A rule that names a coding says that the bytes are coded already.
    isCompressible: isWorthCoding && !identity.headers.has('content-encoding'),
    isGuardedScript: route.url.isOwnHost && isScript(identity.contentType),
    coded: undefined,
    deltas: new Map(),
    place: noPlace(),
    generation,
  }
}
