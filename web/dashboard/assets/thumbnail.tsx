import { useState } from 'react'

import { Icon } from '../parts/icon.tsx'
import {
  type Asset,
  hasStill,
  isVideo,
  isImage,
  isPrivate,
  storagePath,
  transformPath,
} from './asset.ts'

interface ThumbnailProps {
  readonly asset: Asset
  readonly widthPx: number
  readonly heightPx: number
  /** False while somebody scrolls by: what nobody looks at need not be made. */
  readonly isWanted?: boolean
}

/** What is as small as a thumbnail anyway is shown itself; it costs no encoding. */
const smallBytes = 24_576
const largestWholeBytes = 2_097_152

export function Thumbnail({ asset, widthPx, heightPx, isWanted = true }: ThumbnailProps) {
  const [failures, setFailures] = useState(0)
  const [wasWanted, setWasWanted] = useState(isWanted)
  if (isWanted && !wasWanted) setWasWanted(true)
  const source = sourcesOf(asset, { widthPx, heightPx })[failures]
  const hasPicture = source !== undefined && wasWanted
  return (
    <span className={`thumbnail thumbnail-${kindOf(asset)}${hasPicture ? ' has-picture' : ''}`}>
      {hasPicture ? (
        <img
          src={source}
          alt=""
          decoding="async"
          draggable={false}
          onError={() => setFailures(failures + 1)}
        />
      ) : (
        <Icon name={isVideo(asset) ? 'video' : isImage(asset) ? 'images' : 'file'} />
      )}
    </span>
  )
}

/** Photographs fill their place, SVGs keep a margin. */
function kindOf({ format }: Asset): string {
  if (format === 'svg') return 'svg'
  return format === 'jpg' || format === 'jpeg' || format === 'avif' ? 'photo' : 'image'
}

/**
 * Best first; none of what is no image, unless a still stands for it. What is small, private, or in a zone that is not served is read from storage, where nothing is
 * counted as traffic.
 */
function sourcesOf(
  asset: Asset,
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): readonly string[] {
  const { path, size } = asset
  const whole = isImage(asset) && size <= largestWholeBytes ? [storagePath(path)] : []
  if (!isImage(asset) && !hasStill(asset)) return []
  if (isPrivate(asset) || (isImage(asset) && size <= smallBytes)) return whole
  const box = { w: widthPx, h: heightPx, fit: 'inside', dpr: window.devicePixelRatio > 1 ? 2 : 1 }
  return [transformPath(path, box), ...whole]
}
