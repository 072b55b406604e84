import type { ByteRange } from '../../../ports/content/blob-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import type { PublishedBytes } from './published-bytes.ts'

export interface FileReader {
  /** The bytes of a published asset, read lazily. Throws `Unavailable` where they are lost for now. */
  open(asset: AssetRecord, range?: ByteRange): Promise<Blob>
}

export const createFileReader = (bytes: Pick<PublishedBytes, 'open'>): FileReader => ({
  async open(asset, range) {
    const blob = await bytes.open(asset.sha256, range)
    if (blob === undefined)
      throw new ServiceError('Unavailable', `The bytes of "${asset.path}" cannot be read right now`)
    return blob
  },
})
