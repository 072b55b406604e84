import type { ResponseOf, AssetEntry } from '../../../src/client/types.ts'

/** What lists and searches both say of an asset. */
export type Asset = Pick<AssetEntry, 'name' | 'path' | 'project' | 'category' | 'format' | 'size'>

/** All that is known of one. */
export type AssetMetadata = ResponseOf<'getAssetMetadata'>

const images: ReadonlySet<string> = new Set(['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'svg'])
const videos: ReadonlySet<string> = new Set(['mp4', 'm4v', 'mov', 'webm', 'm3u8'])

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
