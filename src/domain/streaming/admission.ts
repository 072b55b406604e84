import type { AssetRecord } from '../../ports/records/asset.ts'
import type { Deliverable } from '../content/delivered/expiry.ts'
import { deliveredAsset } from '../content/delivered/delivered-assets.ts'
import { invalid } from '../errors.ts'
import type { StreamRequest } from './stream-request.ts'

const videoFormats: ReadonlySet<string> = new Set(['mp4', 'm4v', 'mov', 'm4a'])
const playlistFormats: ReadonlySet<string> = new Set(['m3u8', 'm3u'])
export const isVideo = ({ format }: AssetRecord): boolean => videoFormats.has(format)
const isPlaylist = ({ format }: AssetRecord): boolean => playlistFormats.has(format)

/** The stored file, where it may be streamed to whoever asks. */
export function admit(assets: Deliverable, { path, grant }: StreamRequest): AssetRecord {
  const record = deliveredAsset(assets, path, { isSigned: grant !== undefined })
  if (!isVideo(record) && !isPlaylist(record))
    throw invalid('path', 'must name an MP4 video or an .m3u8 playlist')
  return record
}
