import { S3Error } from '../s3-error.ts'
import {
  malformed,
  millisecondsOf,
  parseCredential,
  parseSignature,
  parseSignedHeaders,
  signatureAlgorithm,
  type SignatureClaim,
} from './signature-claim.ts'

const code = 'AuthorizationHeaderMalformed'
const maxLength = 4096

/**
 * What the `Authorization` field says.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html
 */
export function claimOfHeader(authorization: string, headers: Headers): SignatureClaim {
  const fields = componentsOf(authorization)
  const [credential, signedHeaders, signature] = ['Credential', 'SignedHeaders', 'Signature'].map(
    (name) => fields.get(name),
  )
  if (credential === undefined || signedHeaders === undefined || signature === undefined)
    throw malformed(code, 'it must have Credential, SignedHeaders and Signature')
  const { accessKeyId, scope } = parseCredential(credential, code)
  const time = timeOf(headers)
  if (!time.startsWith(scope.date))
    throw malformed(code, 'the date of the credential is not that of X-Amz-Date')
  return {
    accessKeyId,
    scope,
    signedHeaders: parseSignedHeaders(signedHeaders, code),
    signature: parseSignature(signature, code),
    time,
    payloadHash: payloadHashOf(headers),
    expiresSeconds: undefined,
  }
}

function componentsOf(authorization: string): ReadonlyMap<string, string> {
  const [algorithm = '', ...rest] = authorization.slice(0, maxLength + 1).split(' ')
  if (algorithm !== signatureAlgorithm) throw otherMechanism(algorithm)
  if (authorization.length > maxLength)
    throw malformed(code, `it must be at most ${maxLength} characters long`)
  const components = rest
    .join(' ')
    .split(',')
    .map((each) => {
      const component = each.trim()
      const end = component.indexOf('=')
      return [component.slice(0, end), component.slice(end + 1)] as const
    })
  const fields = new Map(components)
  if (fields.size < components.length)
    throw malformed(code, 'it must say Credential, SignedHeaders and Signature once each')
  return fields
}

/** Version 2 and the asymmetric version 4 are S3's, too; all else is of somebody else. */
function otherMechanism(algorithm: string): S3Error {
  if (algorithm.startsWith('AWS')) return unsupportedMechanism()
  return new S3Error('InvalidArgument', 'Unsupported Authorization Type', {
    elements: { ArgumentName: 'Authorization' },
  })
}

export const unsupportedMechanism = (): S3Error =>
  new S3Error(
    'InvalidRequest',
    'The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.',
  )

/** `x-amz-date`, else `Date`. */
function timeOf(headers: Headers): string {
  const own = headers.get('x-amz-date')
  if (own !== null && millisecondsOf(own) !== undefined) return own
  const date = own === null ? Date.parse((headers.get('date') ?? '').slice(0, 64)) : Number.NaN
  if (!Number.isNaN(date)) return new Date(date).toISOString().replace(/[-:]|\.\d{3}/gu, '')
  throw new S3Error('AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header')
}

function payloadHashOf(headers: Headers): string {
  const hash = headers.get('x-amz-content-sha256')
  if (hash === null)
    throw new S3Error(
      'InvalidRequest',
      'Missing required header for this request: x-amz-content-sha256',
    )
  return hash
}
