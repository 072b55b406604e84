import { readNamedPath } from '../../domain/media/named/named-path.ts'
import { createNamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { nameParameter } from '../../domain/media/named/parse-transforms.ts'
import { namedVersionIn } from '../../domain/content/past/version-names.ts'
import { ServiceError } from '../../domain/errors.ts'
import { canonicalPath, readTarget } from '../../edge/routing/request-target.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { hostsOf } from './host-purposes.ts'

export type NamedImages = (
  request: Request,
  peerAddress: string | undefined,
) => Promise<Response> | undefined

interface Dependencies {
  readonly published: Pick<Manifest, 'zone' | 'zoneOfHost' | 'ruleFile'>
  readonly previewHost: string | undefined
  /** The operations, with the cache in front of what they make. */
  readonly api: () => {
    fetch(request: Request, peerAddress: string): Promise<Response>
  }
}

/**
 * Responds to `/<asset>/<name>.<format>`, where nothing is published and the name is that of a transform, as to
 * `/api/transform` on the same host; `undefined` for any other URL.
 */
export function createNamedImages({ published, previewHost, api }: Dependencies): NamedImages {
  const named = createNamedTransforms(published)
  const { zoneOfHost } = hostsOf({
    previewHost,
    zoneOfHost: (hostname) => published.zoneOfHost(hostname),
  })
  return (request, peerAddress = 'unknown') => {
    const target = readTarget(request.url)
    if (target === undefined) return undefined
    const path = readNamedPath(canonicalPath(target.path)?.decoded ?? '')
    if (path === undefined) return undefined
    const zone = zoneOfHost(target.hostname) ?? zoneOf(path.asset)
    if (zone === undefined || named.find(path.name, zone) === undefined) return undefined
    const url = new URL('/api/transform', request.url)
    const others = [...new URLSearchParams(target.query)].filter(([name]) => name !== 'url')
    url.search = new URLSearchParams([
      ['url', `/${path.asset}`],
      [nameParameter, path.name],
      ['format', path.format],
      ...others,
    ]).toString()
    const { method, headers, signal } = request
    return api().fetch(new Request(url, { method, headers, signal }), peerAddress)
  }
}

/** The first name of a path, behind its version. */
function zoneOf(asset: string): string | undefined {
  try {
    return namedVersionIn(asset).text.split('/', 1)[0]
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
