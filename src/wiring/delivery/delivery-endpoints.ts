import { deliverableAt } from '../../domain/content/delivered/expiry.ts'
import { createFileReader } from '../../domain/content/delivered/published-bytes.ts'
import { createWithheldAssets } from '../../domain/content/delivered/withheld-assets.ts'
import { createDescribedImages } from '../../domain/media/responsive/described-images.ts'
import { createNamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { createRuledSvgs } from '../../domain/media/svg/ruled-svgs.ts'
import { type Endpoint, endpoints } from '../../http/operation.ts'
import { autoOperations } from '../../planes/delivery/auto.ts'
import { getImageInfo } from '../../planes/delivery/image-info.ts'
import { responsiveImageOperations } from '../../planes/delivery/responsive-images.ts'
import { purgeOperation } from '../../planes/delivery/purge.ts'
import { getSigned } from '../../planes/delivery/signed.ts'
import { getStream } from '../../planes/delivery/streams/stream.ts'
import { getThumbnails } from '../../planes/delivery/streams/thumbnails.ts'
import { getIiifImage } from '../../planes/iiif/images.ts'
import { transformImage } from '../../planes/delivery/transform.ts'
import type { Limits } from '../access/limits.ts'
import { purgesOf } from '../content/file-verbs.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { Media } from '../media.ts'
import type { World } from '../world.ts'
import { hostsOf, namesAssets } from './host-purposes.ts'
import { pinnedOf } from './versions.ts'

interface DeliveryParts {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly media: Media
  readonly limits: Limits
}

/** What is made of assets when they are asked for, and purging. */
export function deliveryEndpoints(world: World, opened: DeliveryParts): readonly Endpoint[] {
  const { config, now } = world
  const { publishing, media } = opened
  const { catalog, manifest, domains } = publishing
  const { images, streams, thumbnails, drawings, modeOf } = media
  const named = hostsOf({ ...config, zoneOfHost: (hostname) => domains.zoneOfHost(hostname) })
  const hosts = { ...named, isOurHost: namesAssets({ ...config, ...named }) }
  const hostRules = { ...named, withheld: createWithheldAssets(manifest) }
  const ruledSvgs = createRuledSvgs({ published: manifest, drawings })
  const published = deliverableAt(manifest, now)
  const pinned = pinnedOf(world, publishing)
  const transforms = createNamedTransforms(manifest)
  const made = { images, ruledSvgs, published, pinned, named: transforms, now }
  const signing = { ...signingOf(config), now }
  const purges = purgesOf(world, opened)
  return [
    transformImage.endpoint({ ...made, ...hosts, ...hostRules }),
    ...endpoints(autoOperations, { ...made, ...hostRules }),
    ...endpoints(responsiveImageOperations, {
      described: createDescribedImages(media),
      pinned,
      modeOf,
      baseUrl: config.baseUrl,
      ...hostRules,
    }),
    getIiifImage.endpoint({
      ...made,
      media: media.media,
      baseUrl: config.baseUrl,
      ...hostRules,
    }),
    getImageInfo.endpoint({ details: media.details, published, pinned, ...hosts, ...hostRules }),
    getSigned.endpoint({
      published,
      pinned,
      images,
      ruledSvgs,
      named: transforms,
      reader: createFileReader(publishing.bytes),
      ...signing,
    }),
    getStream.endpoint({ streams, pinned, ...hostRules, ...signing }),
    getThumbnails.endpoint({ thumbnails, pinned, ...hostRules, ...signing }),
    purgeOperation.endpoint({ purges, ...hosts, catalog, now }),
  ]
}

export const signingOf = ({ keys, previousKeys, signedUrlMaxAgeSeconds }: World['config']) => ({
  signedUrlSecret: keys.signedUrlSecret,
  previousSignedUrlSecret: previousKeys.signedUrlSecret,
  signedUrlMaxAgeSeconds,
})
