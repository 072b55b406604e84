import { snappedWidth } from '../../lib/width-ladder.ts'

/** Where the service is; the site's own origin where left out. */
export interface Service {
  readonly url?: string | undefined
}

/** How an image is wanted; what is left out is left to the service. */
export interface Wanted {
  /** CSS pixels of the device. It becomes the next step of the ladder, so that pages share what is made. */
  readonly width?: number | undefined
  /** Cuts to this proportion to the width. */
  readonly height?: number | undefined
  readonly quality?: number | undefined
  readonly format?: string | undefined
  readonly fit?: string | undefined
}

/** A path of an asset, maybe of a version (`@<commit>/`, `@~<preview>/`). */
const assetPath = /^\/?((?:@[^/]{1,96}\/)?[a-z0-9][a-z0-9-]{0,62}\/v1\/[^]{1,1024})$/u
const namedBySha = /\?v=([0-9a-f]{8,64})$/u

/** The URL of an image as it is wanted. What is not of the service, as a site's own files, stays as it is. */
export function imageUrl(source: string, wanted: Wanted, service: Service): string {
  const base = (service.url ?? '').replace(/\/{1,8}$/u, '')
  const isAbsolute = /^https?:\/\//iu.test(source)
  if (isAbsolute && (base === '' || !source.startsWith(`${base}/`))) return source
  const [, sha] = namedBySha.exec(source) ?? []
  const named = source.slice(isAbsolute ? base.length : 0).replace(namedBySha, '')
  const [, path] = assetPath.exec(isAbsolute ? decoded(named) : named) ?? []
  if (path === undefined) return source
  const values = { v: sha, ...sizeOf(wanted), q: wanted.quality, format: wanted.format }
  const query = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`&${name}=${encodeURIComponent(value)}`],
  )
  return `${base}/api/transform?url=/${path.split('/').map(encodeURIComponent).join('/')}${query.join('')}`
}

function sizeOf({ width, height, fit }: Wanted) {
  if (width === undefined)
    return { h: height === undefined ? undefined : snappedWidth(height), fit }
  const w = snappedWidth(width)
  const h = height === undefined ? undefined : Math.max(1, Math.round((height * w) / width))
  return { w, h, fit }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
