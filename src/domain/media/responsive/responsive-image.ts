import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import { encodePath } from '../../content/asset-path.ts'
import { snappedWidth } from '../../../lib/width-ladder.ts'
import { widthsBelow } from './width-ladder.ts'

/** One size of an image, as a page asks for it. */
export interface ImageSource {
  readonly width: number
  readonly height: number
  readonly url: string
}

export interface ResponsiveImage {
  readonly width: number
  readonly height: number
  /** The smallest first. */
  readonly sources: readonly ImageSource[]
  /** For browsers that take no list. */
  readonly src: string
}

/** What the URLs of an image begin with, and the version that is meant where it is not what is published. */
interface Named {
  readonly baseUrl: string
  readonly version?: string | undefined
  /** Which moment of a video. */
  readonly seconds?: number | undefined
}

/** So much of a SHA-256 names it among all that a path will ever have. */
const shaDigits = 16
/** What is shown where nothing is chosen. */
const usualWidth = 1080

/**
 * The sizes that a page offers of an image, each by a URL that can mean no other one. An SVG is as it is at
 * every size, and what moves is only had as it is.
 */
export function responsiveImageOf(
  { path, sha256 }: AssetRecord,
  { header: { width, height, format, frames, still } }: Pick<MediaFacts, 'header'>,
  { baseUrl, version, seconds }: Named,
): ResponsiveImage {
  const v = sha256.slice(0, shaDigits)
  const named = `${version === undefined ? '' : `@${version}/`}${encodePath(path)}`
  const moment = seconds === undefined ? '' : `&t=${seconds}`
  const transform = `${baseUrl}/api/transform?url=/${named}&v=${v}${moment}`
  const whole = still === undefined ? `${baseUrl}/${named}?v=${v}` : transform
  if (format === 'svg' || frames > 1) return { width, height, sources: [], src: whole }
  const sources = widthsBelow(width).map((each) => ({
    width: each,
    height: Math.max(1, Math.round((height * each) / width)),
    // What is wider than the image makes it no larger, and all ask for steps of the ladder alone.
    url: `${transform}&w=${snappedWidth(each)}`,
  }))
  const shown = sources.findLast((source) => source.width <= usualWidth) ?? sources[0]
  return { width, height, sources, src: shown?.url ?? whole }
}
