import { deliverableAt } from '../../domain/content/delivered/expiry.ts'
import {
  createPinnedDelivery,
  type PinnedDelivery,
} from '../../domain/content/past/pinned-delivery.ts'
import type { Pins } from '../../domain/content/past/pins.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

interface Published {
  readonly manifest: Manifest
  readonly pins: Pins
}

/** What is delivered of zones: as it is published, as commits have it, and as previews show it. */
export const pinnedOf = (
  { now }: { readonly now: () => Date },
  { manifest, pins }: Published,
): PinnedDelivery =>
  createPinnedDelivery({
    published: deliverableAt(manifest, now),
    pins,
    erased: manifest,
    previews: manifest,
    now,
  })
