import type { AssetRecord } from '../../../ports/records/asset.ts'
import { encodePath } from '../asset-path.ts'

type Tagged = Pick<AssetRecord, 'zone' | 'category' | 'format' | 'sha256' | 'metadata'>

/** What a purge knows the asset by, besides its URL. */
export const surrogateTagsOf = ({
  zone,
  category,
  format,
  sha256,
  metadata,
}: Tagged): readonly string[] => {
  const tags = [
    `zone-${zone}`,
    `project-${zone}`,
    `category-${category}`,
    `type-${category}`,
    `format-${format}`,
    `asset-${sha256.slice(0, 12)}`,
    'all-assets',
    ...(metadata?.tags ?? []).map((tag) => `tag-${tag}`),
  ]
  // Two that differ in nothing but what a tag may not hold are one.
  return [...new Set(tags.map(asTag))]
}

/** A tag may hold letters, digits, `_` and `-`, at most 128; names from paths may hold anything. */
export const asTag = (text: string): string => text.replace(/[^A-Za-z0-9_-]/gu, '_').slice(0, 128)

/**
 * What a response that was made from an asset depends on, for caches of our own: the asset, and those
 * that differ from it in nothing but the format. Callers cannot purge by these: a tag of theirs holds
 * no colon.
 */
export function dependencyTagsOf(path: string): readonly string[] {
  const encoded = encodePath(path)
  const dot = encoded.lastIndexOf('.')
  const stem = dot > encoded.lastIndexOf('/') + 1 ? encoded.slice(0, dot) : encoded
  // An image that is stored for a video (`film.poster.jpg`) may come later.
  return [`path:${encoded}`, `stem:${stem}`, ...(isVideo(encoded) ? [`stem:${stem}.poster`] : [])]
}

const isVideo = (path: string): boolean => /\.(?:mp4|m4v|mov|webm|mkv)$/u.test(path)

/** For what would be another asset's if the host name were another zone's. */
export const hostTagOf = (hostname: string): string => `host:${hostname}`

/**
 * The same for what was made of some files, and would be made otherwise if there were one more: it
 * also depends on all else in the zone, unless its URL says of which files it is made.
 */
export const videoTagsOf = (
  paths: readonly string[],
  { isPinned }: { readonly isPinned: boolean },
): readonly string[] => [
  ...new Set(paths.map((path) => `path:${encodePath(path)}`)),
  ...(isPinned ? [] : ['whole-zone:']),
]
