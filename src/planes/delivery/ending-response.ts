import { earliestExpiry } from '../../domain/content/delivered/expiry.ts'
import { endingLifetime } from '../../http/response/cache-lifetimes.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

/** The response with a lifetime that ends with the first of the assets it was made of. */
export function endingWith(
  response: Response,
  sources: readonly AssetRecord[],
  now: Date,
): Response {
  const endsAt = earliestExpiry(sources)
  if (endsAt === undefined) return response
  const cacheControl = response.headers.get('cache-control') ?? ''
  const ending = { endsAt, now, isPrepared: false }
  response.headers.set('Cache-Control', endingLifetime(cacheControl, ending))
  return response
}
