import type { ResponseOf, AssetEntry } from '../../../src/client/types.ts'
import type { FoundBy } from './found-by.ts'

/** What lists and searches both say of an asset. */
export type Asset = Pick<AssetEntry, 'name' | 'path' | 'project' | 'category' | 'format' | 'size'> &
  Partial<Pick<AssetEntry, 'Width' | 'Height' | 'LastChanged' | 'Title'>> & {
    /** How sure a search is of it. */
    readonly confidence?: 'high' | 'medium' | 'low'
    /** By what a search found it. */
    readonly foundBy?: FoundBy
  }

/** All that is known of one. */
export type AssetMetadata = ResponseOf<'getAssetMetadata'>

const images: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'svg'])
const videos: ReadonlySet<string> = new Set(['mp4', 'm4v', 'mov', 'webm', 'm3u8'])

/** Of these an image is made that stands for them; of other files the type is all there is to see. */
const stills: ReadonlySet<string> = new Set(
  'pdf ai heic heif jxl psd tif tiff mp4 m4v mov webm mkv mp3 flac m4a m4b ogg oga opus woff2 woff otf ttf ttc'.split(
    ' ',
  ),
)

export const hasStill = ({ format }: Pick<Asset, 'format'>): boolean => stills.has(format)
export const isImage = ({ format }: Pick<Asset, 'format'>): boolean => images.has(format)
export const isVideo = ({ format }: Pick<Asset, 'format'>): boolean => videos.has(format)
export const isPrivate = ({ category }: Pick<Asset, 'category'>): boolean => category === 'private'

/** Where the asset is read by whoever may, delivered or not. */
export const storagePath = (path: string): string =>
  `/api/storage/clients/${path.split('/').map(encodeURIComponent).join('/')}`

/** The URL of a transform of the asset. */
export function transformPath(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(name, String(value))
  // A slash means nothing in a query, and people read these URLs.
  const url = `/api/transform?url=/${path.split('/').map(encodeURIComponent).join('/')}`
  return query.size === 0 ? url : `${url}&${query.toString()}`
}
