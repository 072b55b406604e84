import { useState } from 'react'

import { t } from '../language/text.ts'
import { isImage, isVideo } from './asset.ts'
import { Icon } from '../parts/icon.tsx'

interface StateImageProps {
  readonly path: string
  /** `undefined` where the zone was not there: then neither was the file. */
  readonly commit: string | undefined
  /** Whether the file was there then. */
  readonly isThere: boolean
  readonly widthPx: number
  readonly heightPx: number
  readonly alt?: string
}

const formatOf = (path: string): string =>
  path.includes('.') ? path.slice(path.lastIndexOf('.') + 1).toLowerCase() : ''

export const isImagePath = (path: string): boolean => isImage({ format: formatOf(path) })

/** A file as a commit has it: the image that it is, or a sign of what else it is. */
export function StateImage(props: StateImageProps) {
  const { path, commit, isThere, widthPx, heightPx, alt = '' } = props
  const [isBroken, setBroken] = useState(false)
  const format = formatOf(path)
  const isShown = isThere && commit !== undefined && isImagePath(path) && !isBroken
  return (
    <span className={thumbnailClass(format, isShown)}>
      {isShown ? (
        <img
          src={stateImagePath(path, { commit, widthPx, heightPx })}
          alt={alt}
          loading="lazy"
          decoding="async"
          draggable={false}
          onError={() => setBroken(true)}
        />
      ) : isThere ? (
        <Icon name={isVideo({ format }) ? 'video' : isImagePath(path) ? 'images' : 'file'} />
      ) : (
        <span className="not-there">{t('not there')}</span>
      )}
    </span>
  )
}

const thumbnailClass = (format: string, hasPicture: boolean): string =>
  `thumbnail thumbnail-${format === 'svg' ? 'svg' : 'image'}${hasPicture ? ' has-picture' : ''}`

interface Wanted {
  readonly commit: string
  readonly widthPx: number
  readonly heightPx: number
}

/** Whoever may read the zone sees its former images, whether it opens its history to others or not. */
export function stateImagePath(path: string, { commit, widthPx, heightPx }: Wanted): string {
  const dots = window.devicePixelRatio > 1 ? 2 : 1
  const query = new URLSearchParams({
    path,
    commit,
    w: String(Math.min(2048, widthPx * dots)),
    h: String(Math.min(2048, heightPx * dots)),
  })
  return `/api/assets/version/image?${query.toString()}`
}
