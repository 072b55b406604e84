import type { S3Credentials } from '../../src/adapters/s3/sign-request.ts'
import type { Random } from '../support/random.ts'
import { presigned, signed } from '../support/s3-client.ts'

type Fields = Readonly<Record<string, string>>

/** A request of S3 before it is signed. */
export interface Unsigned {
  readonly method: string
  /** Begins with the bucket, encoded as it is to be sent. */
  readonly path: string
  readonly query: Fields
  readonly headers: Fields
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

export interface Signing {
  readonly origin: string
  readonly credentials: S3Credentials
  readonly now: () => Date
}

export interface Sendable {
  readonly target: string
  readonly headers: Fields
}

export const signRightly = (
  { method, path, query, headers, body }: Unsigned,
  signing: Signing,
): Sendable => {
  const made = signed(method, path, {
    ...signing,
    query,
    headers,
    ...(body !== undefined && { body }),
  })
  return { target: made.url.pathname + made.url.search, headers: made.headers }
}

type Way = (unsigned: Unsigned, signing: Signing, random: Random) => Sendable

/** In the URL. */
const presign: Way = ({ method, path, query, headers }, { origin, credentials, now }, random) => {
  const expiresSeconds = random.pick([60, 604_800, 604_801, 0, -1, 1e12])
  const at = new Date(now().getTime() - random.pick([0, 0, 120_000]))
  const url = new URL(
    presigned(method, path, { origin, credentials, expiresSeconds, query, now: at }),
  )
  return { target: url.pathname + url.search, headers }
}

const withChanged =
  (change: (authorization: string, random: Random) => string): Way =>
  (unsigned, signing, random) => {
    const { target, headers } = signRightly(unsigned, signing)
    const name = Object.keys(headers).find((each) => each.toLowerCase() === 'authorization') ?? ''
    return { target, headers: { ...headers, [name]: change(headers[name] ?? '', random) } }
  }

/** Such that it must not be taken for what the key's owner asks. */
const forgeries: readonly [Way, ...Way[]] = [
  (unsigned, signing) => {
    const credentials = { ...signing.credentials, secretAccessKey: 'another-secret' }
    return signRightly(unsigned, { ...signing, credentials })
  },
  (unsigned, signing) =>
    signRightly(unsigned, { ...signing, now: () => new Date(signing.now().getTime() - 3_600_000) }),
  (unsigned, signing) => {
    const { target, headers } = signRightly(unsigned, signing)
    return { target: `${target}${target.includes('?') ? '&' : '?'}added=1`, headers }
  },
  withChanged((text) => text.slice(0, -1)),
  withChanged((text) => text.replace(/SignedHeaders=[^,]*/u, 'SignedHeaders=host')),
  withChanged((text) => text.replace('us-east-1', 'us-east-1/us-east-1')),
  withChanged((text, random) =>
    random.pick(['', 'AWS4-HMAC-SHA256', 'AWS a:b', 'Bearer no', text.repeat(2), 'a'.repeat(9000)]),
  ),
]

export const forge: Way = (unsigned, signing, random) =>
  random.pick(forgeries)(unsigned, signing, random)

/** As most do, or as few. */
export const signSomehow: Way = (unsigned, signing, random) => {
  const chance = random.next()
  if (chance < 0.75) return signRightly(unsigned, signing)
  return (chance < 0.85 ? presign : forge)(unsigned, signing, random)
}

/** RFC 3986 §2.3: all but the unreserved characters, and the slash. */
export const encodedPath = (text: string): string =>
  text
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment.toWellFormed()).replaceAll(
        /[!'()*]/gu,
        (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join('/')
