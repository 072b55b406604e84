import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { LruCache } from '../../lib/collections/lru-cache.ts'
import { createSingleFlight } from '../../lib/async/single-flight.ts'
import { Slots } from '../../lib/async/slots.ts'
import { decodePath, encodePath, isAssetPath, zoneOf } from '../content/asset-path.ts'
import { ServiceError } from '../errors.ts'
import { unprocessable } from './video-library.ts'
import { versionedPath } from '../content/past/version-names.ts'
import type { Grant, StreamRequest } from './stream-request.ts'
import { rewriteStoredPlaylist, type Resolver } from './hls/rewrite-playlist.ts'
import { UnstreamableMediaError } from './mp4/byte-source.ts'

const maxStoredPlaylistBytes = 4 * 2 ** 20
/** Each may hold four times its bounds while it is written. */
const maxWrittenAtOnce = 2
const memoryBytes = 16 * 2 ** 20

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'read'>
  /** The signature of an asset path, for playlists that were asked for with one. */
  readonly sign?: (path: string, expires: string) => string
}

export interface StoredPlaylists {
  /** The text of a playlist that was stored ready-made, fit to be read at the endpoint's URL. */
  read(record: AssetRecord, request: Pick<StreamRequest, 'grant' | 'pin'>): Promise<string>
}

/** However many ask, and by however many URLs, each is written once and two at a time. */
export function createStoredPlaylists({ blobs, sign }: Dependencies): StoredPlaylists {
  const written = new LruCache<string>({
    maxWeight: memoryBytes,
    weigh: ({ length }) => 2 * length,
  })
  const flights = createSingleFlight<string>()
  const slots = new Slots(maxWrittenAtOnce)

  async function write(
    record: AssetRecord,
    { grant, pin }: Pick<StreamRequest, 'grant' | 'pin'>,
  ): Promise<string> {
    using _slot = await slots.take()
    const bytes = await blobs.read(record.sha256)
    if (bytes === undefined)
      throw new ServiceError('Unavailable', `The bytes of "${record.path}" cannot be read now`)
    const version = pin?.version
    const resolver =
      grant && sign ? signedResolver(record, { ...grant, version }, sign) : publicResolver(version)
    try {
      return await rewriteStoredPlaylist(new TextDecoder().decode(bytes), record.path, resolver)
    } catch (error) {
      throw error instanceof UnstreamableMediaError ? unprocessable(error) : error
    }
  }

  return {
    async read(record, request) {
      if (record.sizeBytes > maxStoredPlaylistBytes)
        throw new ServiceError('UnprocessableMedia', 'The playlist is over 4 MiB', {
          target: 'path',
        })
      // The grant's own signature is in nothing that is written.
      const { grant, pin } = request
      const key = `${record.sha256} ${grant?.expires ?? ''} ${pin?.version ?? ''} ${record.path}`
      const known = written.get(key)
      if (known !== undefined) return known
      const { value } = await flights.run(key, undefined, () => write(record, request))
      written.set(key, value)
      return value
    },
  }
}

/** Assets are delivered at their own path; what a pinned playlist names is of the same version. */
const publicResolver = (version: string | undefined): Resolver => ({
  locate: (path, search) =>
    (version !== undefined && isAssetUrl(path) ? `/@${version}${path}` : path) + search,
})

const isAssetUrl = (path: string): boolean => isAssetPath(decoded(path.slice(1)))

/** Each reference gets a signature of its own, but none that leads out of the playlist's zone. */
function signedResolver(
  record: AssetRecord,
  { expires, version }: Grant & { readonly version: string | undefined },
  sign: NonNullable<Dependencies['sign']>,
): Resolver {
  return {
    locate(pathname, search) {
      const asset = decoded(pathname.slice(1))
      if (!isAssetPath(asset) || zoneOf(asset) !== record.zone) return pathname + search
      const endpoint = /\.m3u8?$/iu.test(asset) ? 'stream' : 'signed'
      const path = versionedPath(version, asset)
      // The name comes last: FFmpeg plays only what ends like a media file.
      return `/api/${endpoint}?expires=${expires}&sig=${sign(path, expires)}&path=${encodePath(path)}`
    },
  }
}

const decoded = (path: string): string => (isEncoded(path) ? decodePath(path) : path)

function isEncoded(path: string): boolean {
  try {
    return decodePath(path) !== path
  } catch {
    return false
  }
}
