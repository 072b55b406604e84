import { createHash } from 'node:crypto'

import { scopeText, signatureAlgorithm, type SignatureClaim } from './signature-claim.ts'

interface Signed {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly forwardedHost: string | undefined
}

/**
 * What is signed of a request, as it may have been written: S3 takes the path apart and encodes it anew,
 * and some clients sign it as they send it; what comes through a proxy was sent to another host. Characters
 * stand for bytes.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function canonicalRequests(signed: Signed, claim: SignatureClaim): readonly string[] {
  const { method, url, headers, forwardedHost } = signed
  const query = canonicalQuery(url.searchParams)
  const hosts = [
    headers.get('host') ?? url.host,
    ...(forwardedHost === undefined ? [] : [forwardedHost]),
  ]
  const paths = new Set([encodedAnew(url.pathname), url.pathname])
  return hosts.flatMap((host) => {
    const fields = fieldsOf(headers, claim, host)
    const all = new Set([fields, withoutSpaceAfterCommas(fields)])
    return [...all].flatMap((each) =>
      [...paths].map((path) => [method, path, query, each, claim.payloadHash].join('\n')),
    )
  })
}

/** A field that came several times is joined with a space after each comma here, and without to be signed. */
const withoutSpaceAfterCommas = (fields: string): string => fields.replaceAll(', ', ',')

/** Each field that is signed, and then their names. */
function fieldsOf(headers: Headers, { signedHeaders }: SignatureClaim, host: string): string {
  const valueOf = (name: string): string => (name === 'host' ? host : (headers.get(name) ?? ''))
  const fields = signedHeaders.map(
    (name) => `${name}:${valueOf(name).trim().replace(/ {2,}/gu, ' ')}`,
  )
  return [...fields, '', signedHeaders.join(';')].join('\n')
}

export const stringToSign = (canonical: string, { time, scope }: SignatureClaim): string =>
  [signatureAlgorithm, time, scopeText(scope), sha256(canonical)].join('\n')

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
