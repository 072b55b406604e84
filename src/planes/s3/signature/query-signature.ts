import { unsupportedMechanism } from './authorization-header.ts'
import {
  malformed,
  millisecondsOf,
  parseCredential,
  parseSignature,
  parseSignedHeaders,
  signatureAlgorithm,
  type SignatureClaim,
} from './signature-claim.ts'

const code = 'AuthorizationQueryParametersError'
const names = [
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Signature',
] as const

export const isSignedInQuery = (query: URLSearchParams): boolean =>
  names.some((name) => query.has(name))

/**
 * What the query of a presigned URL says.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
export function claimOfQuery(query: URLSearchParams, headers: Headers): SignatureClaim {
  if (names.some((name) => query.getAll(name).length !== 1))
    throw malformed(code, `a signature in the query needs ${names.join(', ')}, each once`)
  const sent = (name: (typeof names)[number]): string => query.get(name) ?? ''
  if (sent('X-Amz-Algorithm') !== signatureAlgorithm) throw unsupportedMechanism()
  const { accessKeyId, scope } = parseCredential(sent('X-Amz-Credential'), code)
  const time = sent('X-Amz-Date')
  if (millisecondsOf(time) === undefined || !time.startsWith(scope.date))
    throw malformed(code, 'X-Amz-Date must be YYYYMMDDTHHMMSSZ, of the day of the credential')
  return {
    accessKeyId,
    scope,
    signedHeaders: parseSignedHeaders(sent('X-Amz-SignedHeaders'), code),
    signature: parseSignature(sent('X-Amz-Signature'), code),
    time,
    payloadHash:
      headers.get('x-amz-content-sha256') ??
      query.get('X-Amz-Content-Sha256') ??
      'UNSIGNED-PAYLOAD',
    expiresSeconds: parseExpires(sent('X-Amz-Expires')),
  }
}

const sevenDaysSeconds = 604_800

function parseExpires(text: string): number {
  const seconds = /^\d{1,6}$/u.test(text) ? Number(text) : 0
  if (seconds < 1 || seconds > sevenDaysSeconds)
    throw malformed(code, 'X-Amz-Expires must be a number of seconds from 1 to 604800')
  return seconds
}
