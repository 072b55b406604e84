import { createHash } from 'node:crypto'

import { scopeText, signatureAlgorithm, type SignatureClaim } from './signature-claim.ts'

interface Signed {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
}

/**
 * What is signed of a request, as it may have been written: S3 takes the path apart and encodes it anew,
 * and some clients sign it as they send it. Characters stand for bytes.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function canonicalRequests(signed: Signed, claim: SignatureClaim): readonly string[] {
  const { pathname } = signed.url
  const rest = [
    canonicalQuery(signed.url.searchParams),
    ...claim.signedHeaders.map((name) => `${name}:${fieldOf(signed, name)}`),
    '',
    claim.signedHeaders.join(';'),
    claim.payloadHash,
  ].join('\n')
  const paths = new Set([encodedAnew(pathname), pathname])
  return [...paths].map((path) => `${signed.method}\n${path}\n${rest}`)
}

export const stringToSign = (canonical: string, { time, scope }: SignatureClaim): string =>
  [signatureAlgorithm, time, scopeText(scope), sha256(canonical)].join('\n')

/** A client that speaks to one host sends no other; HTTP/1.0 sends none. */
function fieldOf({ headers, url }: Signed, name: string): string {
  const value = headers.get(name) ?? (name === 'host' ? url.host : '')
  return value.trim().replace(/ {2,}/gu, ' ')
}

/** Sorted by name and then by value, as they are encoded. The signature is not part of what is signed. */
const canonicalQuery = (parameters: URLSearchParams): string =>
  [...parameters]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([name, value], [other, otherValue]) =>
      name === other ? compare(value, otherValue) : compare(name, other),
    )
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

function encodedAnew(pathname: string): string {
  try {
    return pathname
      .split('/')
      .map((segment) => encode(decodeURIComponent(segment)))
      .join('/')
  } catch {
    return pathname
  }
}

/** RFC 3986 §2.3: all but the unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const sha256 = (text: string): string => createHash('sha256').update(text, 'latin1').digest('hex')
