import type { Log } from '../../../lib/log.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import type { BlobBytes, BlobStore, ByteRange } from '../../../ports/content/blob-store.ts'
import type { Recoverable, Tree } from '../../../ports/content/content-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { type AssetPath, repositoryPath } from '../asset-path.ts'
import { putBack } from './put-back.ts'
import { ServiceError } from '../../errors.ts'

/** The bytes of published assets. What the blob store has lost is put back from the repository. */
export interface PublishedBytes
  extends Pick<BlobStore, 'open' | 'read'>, Required<Pick<BlobStore, 'path'>> {
  /**
   * For bytes that look damaged to whoever reads them: compares them with their name, and puts them back
   * where they are others. Answers whether it did, so that it is worth trying again.
   */
  mend(sha256: string): Promise<boolean>
}

interface Dependencies {
  readonly blobs: Pick<
    BlobStore,
    'open' | 'read' | 'path' | 'dropDamagedCopy' | 'isIntact' | 'receive' | 'remove'
  >
  readonly tree: Pick<Tree, 'find'>
  /** A published asset with these bytes. Asked only where they are lost. */
  readonly assetWith: (sha256: string) => AssetRecord | undefined
  /** Where the repository has them, of files that were published once and are asked for again. */
  readonly pastWith?: (sha256: string) => Promise<Recoverable | undefined>
  readonly log: Pick<Log, 'error'>
  /** Milliseconds that only grow. */
  readonly now: () => number
}

/** What was found out about bytes holds for so long: asking again and again must cost nothing. */
const rememberedForMs = 10_000
const maxRemembered = 1000

export function createPublishedBytes(dependencies: Dependencies): PublishedBytes {
  const { blobs, now } = dependencies
  const flights = createSingleFlight<boolean>()
  const settledUntil = new Map<string, number>()
  const { restoreBlob, bringPast } = createRestoring(dependencies)

  /** Does it once for all who ask, and after it came to nothing not again for a moment. */
  async function once(sha256: string, work: () => Promise<boolean>): Promise<boolean> {
    if ((settledUntil.get(sha256) ?? 0) > now()) return false
    const { value } = await flights.run(sha256, undefined, work)
    if (!value) settle(sha256)
    return value
  }

  function settle(sha256: string): void {
    settledUntil.delete(sha256)
    settledUntil.set(sha256, now() + rememberedForMs)
    const [oldest] = settledUntil.keys()
    if (settledUntil.size > maxRemembered && oldest !== undefined) settledUntil.delete(oldest)
  }

  // What is of the past may become known as such at any time.
  const restore = async (sha256: string) =>
    (await flights.share(`past ${sha256}`, () => bringPast(sha256))) ||
    (await once(sha256, () => restoreBlob(sha256, 'missing')))

  return {
    async path(sha256) {
      const path = await blobs.path?.(sha256)
      return path ?? ((await restore(sha256)) ? await blobs.path?.(sha256) : undefined)
    },
    async open(sha256, range) {
      const blob = await blobs.open(sha256, range)
      return blob ?? ((await restore(sha256)) ? await blobs.open(sha256, range) : undefined)
    },
    async read(sha256) {
      const bytes = await blobs.read(sha256)
      return bytes ?? ((await restore(sha256)) ? await blobs.read(sha256) : undefined)
    },
    mend: (sha256) =>
      once(sha256, async () => {
        if ((await blobs.dropDamagedCopy?.(sha256)) === true) return true
        if (await blobs.isIntact(sha256)) return false
        const isThere = (await blobs.open(sha256)) !== undefined
        return await restoreBlob(sha256, isThere ? 'damaged' : 'missing')
      }),
  }
}

/** Never rejects: what cannot be put back is as good as not there, and the log says why. */
function createRestoring({ blobs, tree, assetWith, pastWith, log }: Dependencies) {
  /** The blob store has forgotten what nothing has any more, as it should. */
  async function bringPast(sha256: string): Promise<boolean> {
    try {
      const file = await pastWith?.(sha256)
      return file !== undefined && (await putBack(sha256, file, blobs))
    } catch (error) {
      log.error('a blob of the past cannot be put back', { sha256, error })
      return false
    }
  }

  async function restoreBlob(sha256: string, what: 'missing' | 'damaged'): Promise<boolean> {
    const asset = assetWith(sha256)
    if (asset === undefined) return await bringPast(sha256)
    const { path } = asset
    try {
      await copyFromRepository(asset)
      log.error(`a blob was ${what} and is put back from the repository`, { path, sha256 })
      return true
    } catch (error) {
      log.error(`a blob is ${what} and cannot be put back`, { path, sha256, error })
      return false
    }
  }

  async function copyFromRepository({ path, sha256 }: AssetRecord): Promise<void> {
    const file = await tree.find(repositoryPath(path as AssetPath))
    if (file?.kind !== 'file') throw new Error('the repository does not have the file')
    if (!(await putBack(sha256, file, blobs)))
      throw new Error('the repository does not have these bytes either')
  }

  return { bringPast, restoreBlob }
}

/** The strong validator of stored bytes (RFC 9110 §8.8.3): equal tags, equal bytes, whatever the path. */
export const entityTagOf = (sha256: string): string => `"${sha256}"`

export interface FileReader {
  /** The bytes of a published asset, read lazily. Throws `Unavailable` where they are lost for now. */
  open(asset: AssetRecord, range?: ByteRange): Promise<BlobBytes>
}

export const createFileReader = (bytes: Pick<PublishedBytes, 'open'>): FileReader => ({
  async open(asset, range) {
    const blob = await bytes.open(asset.sha256, range)
    if (blob === undefined)
      throw new ServiceError('Unavailable', `The bytes of "${asset.path}" cannot be read right now`)
    return blob
  },
})
