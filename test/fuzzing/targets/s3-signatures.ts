import { signRequest } from '../../../src/adapters/s3/sign-request.ts'
import { Secret } from '../../../src/lib/secrets/secret.ts'
import { S3Error } from '../../../src/planes/s3/s3-error.ts'
import { claimOfHeader } from '../../../src/planes/s3/signature/authorization-header.ts'
import { claimOfQuery, isSignedInQuery } from '../../../src/planes/s3/signature/query-signature.ts'
import type { SignatureClaim } from '../../../src/planes/s3/signature/signature-claim.ts'
import { requireCurrent } from '../../../src/planes/s3/signature/signed-time.ts'
import { signingKey } from '../../../src/planes/s3/signature/signing-key.ts'
import { verifySignature } from '../../../src/planes/s3/signature/verify-signature.ts'
import { presigned } from '../../support/s3-client.ts'
import { type FuzzTarget, inputOf, outcomeOf, promise, textOf } from '../fuzz-target.ts'

/** A method and a URL, then a field on each line. What is taken for signed says what somebody has signed. */
export const s3Signatures: FuzzTarget = {
  name: 's3-signatures',
  seeds: async () => signedTexts().map((text) => inputOf(text)),
  words: [
    'AWS4-HMAC-SHA256 ',
    'Credential=',
    'SignedHeaders=host',
    'Signature=',
    '/us-east-1/s3/aws4_request',
    '20260401',
    '20260401T120000Z',
    'x-amz-date: ',
    'x-amz-content-sha256: ',
    'UNSIGNED-PAYLOAD',
    ';',
    ',',
    ', ',
    '  ',
    '%2F',
    '%',
    '/../',
    '//',
    '?',
    '&',
    '=',
    '+',
    '%20',
    '&X-Amz-Expires=1',
    'date: ',
    'host: a',
    'x-amz-meta-a: b',
    '\n',
  ],
  async look(input) {
    const asked = askedIn(textOf(input))
    if (asked === undefined) return 'refused: no request'
    return await outcomeOf(() => taken(asked), isRefusal)
  },
}

const origin = 'http://s3.example.org'
const now = new Date('2026-04-01T12:00:00Z')
const secretAccessKey = 'secret'
const credentials = { accessKeyId: 'known', secretAccessKey, sessionToken: undefined }

interface Asked {
  readonly request: Request
  readonly url: URL
}

/** Refuses, or says by which of both ways it was signed. */
function taken(asked: Asked): string {
  const claim = claimOf(asked)
  requireCurrent(claim, now)
  verifySignature(asked, claim, [signingKey(new Secret(secretAccessKey), claim.scope)])
  const meaning = meaningOf(asked, claim)
  promise(signedMeanings().has(meaning), `nobody has signed ${meaning}`)
  return claim.expiresSeconds === undefined ? 'signed by header' : 'signed by query'
}

const claimOf = ({ request: { headers }, url }: Asked): SignatureClaim =>
  isSignedInQuery(url.searchParams)
    ? claimOfQuery(url.searchParams, headers)
    : claimOfHeader(headers.get('authorization') ?? '', headers)

function askedIn(text: string): Asked | undefined {
  const [first = '', ...lines] = text.split('\n')
  const [method = '', target = ''] = first.split(' ')
  const headers = new Headers()
  try {
    for (const line of lines) {
      const end = line.indexOf(':')
      if (end > 0) headers.append(line.slice(0, end), line.slice(end + 1).trim())
    }
    const url = new URL(origin + target)
    return { request: new Request(url, { method, headers }), url }
  } catch {
    return undefined
  }
}

/** All that a signature is to hold fast, whichever way it is written. */
function meaningOf({ request, url }: Asked, claim: SignatureClaim): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map((pair) => JSON.stringify(pair))
    .toSorted()
  const fields = claim.signedHeaders.map((name) => {
    const value =
      name === 'host' ? (request.headers.get(name) ?? url.host) : request.headers.get(name)
    return [name, value?.trim().replaceAll(/,? +/gu, (gap) => (gap.startsWith(',') ? ',' : ' '))]
  })
  const path = url.pathname.replaceAll(/%[0-9a-f]{2}/giu, (code) =>
    String.fromCodePoint(Number.parseInt(code.slice(1), 16)),
  )
  const { time, scope, payloadHash } = claim
  return JSON.stringify([request.method, path, query, fields, time, scope, payloadHash])
}

function signedTexts(): readonly string[] {
  const inHeader = [
    ['PUT', '/acme/v1/a%20b%2Bc.txt', { 'x-amz-meta-a': 'b  c, d' }],
    ['GET', '/acme?list-type=2&prefix=v1%2F&delimiter=%2F', {}],
    ['DELETE', '/acme/v1/%C3%A9.txt', {}],
  ] as const
  const signed = inHeader.map(([method, target, headers]) => {
    const url = new URL(origin + target)
    const unsigned = { method, url, headers, bodySha256: 'UNSIGNED-PAYLOAD' }
    const fields = signRequest(unsigned, { credentials, region: 'us-east-1', now })
    return [
      `${method} ${target}`,
      ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    ]
  })
  const inQuery = presigned('GET', '/acme/v1/a.txt', { origin, credentials, now })
  return [...signed.map((lines) => lines.join('\n')), `GET ${inQuery.slice(origin.length)}`]
}

function meaningsSigned(): ReadonlySet<string> {
  const asked = signedTexts().flatMap((text) => askedIn(text) ?? [])
  return new Set(asked.map((each) => meaningOf(each, claimOf(each))))
}

let meanings: ReadonlySet<string> | undefined
const signedMeanings = (): ReadonlySet<string> => (meanings ??= meaningsSigned())

const isRefusal = (thrown: unknown): thrown is Error => thrown instanceof S3Error
