import { type NamedPath, readNamedPath } from '../../domain/media/named/named-path.ts'
import { createNamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { nameParameter } from '../../domain/media/named/parse-transforms.ts'
import { namedVersionIn } from '../../domain/content/past/version-names.ts'
import { ServiceError } from '../../domain/errors.ts'
import { countersOfFreePath } from '../../edge/purge/counter-names.ts'
import type { PurgeGenerations } from '../../edge/purge/purge-generations.ts'
import { canonicalPath, readTarget, type RequestTarget } from '../../edge/routing/request-target.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { DeliveryCache } from './delivery-cache.ts'
import { hostsOf } from './host-purposes.ts'

/** `isForAll` says that the URL means the same to everybody as long as nothing is published at it. */
export type NamedImages = (
  request: Request,
  peerAddress: string | undefined,
  isForAll: boolean,
) => Promise<Response> | undefined

interface Dependencies {
  readonly published: Pick<Manifest, 'zone' | 'zoneOfHost' | 'ruleFile'>
  readonly previewHost: string | undefined
  /** The operations, with the cache in front of what they make. */
  readonly api: () => Pick<DeliveryCache, 'fetch' | 'hot'>
  readonly generations: Pick<PurgeGenerations, 'newest'>
}

/**
 * Responds to `/<asset>/<name>.<format>`, where nothing is published and the name is that of a transform, as to
 * `/api/transform` on the same host; `undefined` for any other URL.
 */
export function createNamedImages(dependencies: Dependencies): NamedImages {
  const { published, previewHost, api, generations } = dependencies
  const named = createNamedTransforms(published)
  const { zoneOfHost } = hostsOf({
    previewHost,
    zoneOfHost: (hostname) => published.zoneOfHost(hostname),
  })

  async function respond(request: Request, peerAddress: string, image: Image): Promise<Response> {
    // Before anything is waited for: nothing is published there at this moment.
    const generation = generations.newest
    const { method, headers, signal } = request
    const url = new URL(image.url, request.url).href
    const cache = api()
    const response = await cache.fetch(new Request(url, { method, headers, signal }), peerAddress)
    const { counters } = image
    if (counters !== undefined) cache.hot.learn(request, { url, counters, generation })
    return response
  }

  function find({ hostname, path: sent, query }: RequestTarget): NamedImage | undefined {
    const { decoded = '' } = canonicalPath(sent) ?? {}
    const path = readNamedPath(decoded)
    if (path === undefined) return undefined
    const ownZone = zoneOfHost(hostname)
    const zone = ownZone ?? zoneOf(path.asset)
    if (zone === undefined || named.find(path.name, zone) === undefined) return undefined
    const isOwn = ownZone !== undefined && decoded.startsWith('v1/')
    return { ...path, query, published: isOwn ? `${ownZone}/${decoded}` : decoded }
  }

  return (request, peerAddress = 'unknown', isForAll) => {
    const target = readTarget(request.url)
    const image = target && find(target)
    return (
      image &&
      respond(request, peerAddress, {
        url: transformUrl(image),
        counters:
          isForAll && isNow(image)
            ? countersOfFreePath(target.hostname, image.published)
            : undefined,
      })
    )
  }
}

interface NamedImage extends NamedPath, Pick<RequestTarget, 'query'> {
  /** The path of the asset that would be there instead. */
  readonly published: string
}

/** Whether the URL names no moment that was, nor a preview. */
const isNow = ({ published, query }: NamedImage): boolean =>
  !published.startsWith('@') && !new URLSearchParams(query).has('at')

interface Image {
  /** How the operation is asked for it. */
  readonly url: string
  /** Raised where the URL may come to mean something else; absent where it does for somebody already. */
  readonly counters: readonly string[] | undefined
}

function transformUrl({ asset, name, format, query }: NamedImage): string {
  const others = [...new URLSearchParams(query)].filter(([parameter]) => parameter !== 'url')
  const parameters = [['url', `/${asset}`], [nameParameter, name], ['format', format], ...others]
  return `/api/transform?${new URLSearchParams(parameters).toString()}`
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
