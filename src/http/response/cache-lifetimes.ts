/** How long something that can change is used without asking. */
export interface Freshness {
  readonly maxAgeSeconds: number
  /** For how much longer the old one may be shown while it is asked for (RFC 5861). */
  readonly staleWhileRevalidateSeconds: number
}

/** A file can be overwritten under its URL at any time, and an image made of it with it. */
export const assetFreshness: Freshness = { maxAgeSeconds: 60, staleWhileRevalidateSeconds: 600 }

export const publicFor = ({ maxAgeSeconds, staleWhileRevalidateSeconds }: Freshness): string =>
  maxAgeSeconds === 0
    ? 'public, no-cache'
    : `public, max-age=${maxAgeSeconds}, stale-while-revalidate=${staleWhileRevalidateSeconds}`

/** What an owner says of a zone, in seconds, or what holds where nothing is said. */
export const freshnessOf = (seconds: number | undefined, standard = assetFreshness): Freshness =>
  seconds === undefined ? standard : { ...standard, maxAgeSeconds: seconds }

/**
 * How long each kind of response may be used without asking, as `Cache-Control` says it. What has no
 * lifetime is `no-store`: refusals, answers of the API that nobody asks again, everything secret.
 */
export const cacheLifetimes = {
  /** The URL names these very bytes, so it can never mean others. */
  pinned: 'public, max-age=31536000, immutable',
  /** The same for what not everybody may see. */
  privatePinned: 'private, max-age=31536000, immutable',
  /** An image that is made on request: as long as the file that it is made of. */
  image: publicFor(assetFreshness),
  /** A stored image in the place of one that is not made for now. */
  degraded: 'public, max-age=60',
  /** A video can be replaced, and one more size of it be stored: players look again soon. */
  playlist: publicFor({ maxAgeSeconds: 30, staleWhileRevalidateSeconds: 60 }),
  /** A segment of a video that can be replaced must not outlive the playlist that names it. */
  segment: 'public, max-age=30',
  /** A rule that redirects may be changed, and a domain that no longer sends all to https is seen soon. */
  redirect: 'public, max-age=60',
  /** The page that plays videos changes with the program alone. */
  watchPage: 'public, max-age=300',
  /** `robots.txt`, icons: asked for by robots that never need the newest. */
  rootFile: 'public, max-age=3600',
  /** What is found in the documentation changes with the program alone. */
  documentation: 'public, max-age=300',
  /** Parts of a page that change with the program alone, and harm nobody when they are old. */
  pagePart: 'public, max-age=604800',
  /** A listing that somebody pages through. */
  listing: 'private, max-age=30',
  /** Kept by the one client that asked, and compared each time. */
  comparedEachTime: 'private, no-cache',
} as const

/** From here to the end of an asset what was prepared earlier is compared each time. */
export const endingSeconds = 900

interface Ending {
  readonly endsAt: Date
  readonly now: Date
  /** Whether it is sent again, as it is now, until {@link endingSeconds} before the end. */
  readonly isPrepared: boolean
}

/** `cacheControl` for what is gone at a moment: nobody may use it longer without asking. */
export function endingLifetime(cacheControl: string, { endsAt, now, isPrepared }: Ending): string {
  if (/\bno-(?:store|cache)\b/iu.test(cacheControl)) return cacheControl
  const visibility = /\bprivate\b/iu.test(cacheControl) ? 'private' : 'public'
  const remainingSeconds = Math.floor((endsAt.getTime() - now.getTime()) / 1000)
  const maxAge = secondsOf(cacheControl, maxAgeDirective)
  const isNear = remainingSeconds <= endingSeconds
  if (maxAge === undefined || remainingSeconds <= 0 || (isNear && isPrepared))
    return `${visibility}, no-cache`
  const room = Math.min(remainingSeconds, endingSeconds)
  const lifetime = Math.min(maxAge, room)
  const stale = Math.min(secondsOf(cacheControl, staleDirective) ?? 0, room - lifetime)
  const revalidating = stale > 0 ? `, stale-while-revalidate=${stale}` : ''
  return `${visibility}, max-age=${lifetime}${revalidating}`
}

const maxAgeDirective = /(?:^|[\s,])max-age="?(\d{1,10})/iu
const staleDirective = /(?:^|[\s,])stale-while-revalidate="?(\d{1,10})/iu

function secondsOf(cacheControl: string, directive: RegExp): number | undefined {
  const digits = directive.exec(cacheControl)
  return digits === null ? undefined : Number(digits[1])
}
