import { S3Error, type S3ErrorCode } from '../s3-error.ts'

/** What a request says of who signed it, and how. Well-formed; nothing of it is proven. */
export interface SignatureClaim {
  readonly accessKeyId: string
  readonly scope: CredentialScope
  /** Lower-case names. */
  readonly signedHeaders: readonly string[]
  /** Lower-case hex, as long as a SHA-256. */
  readonly signature: string
  /** When it was signed, as `20260401T120000Z`. */
  readonly time: string
  /** As the canonical request has it: a SHA-256 in hex, or a word for what is not hashed. */
  readonly payloadHash: string
  /** How long it is good; `undefined` where that is the skew of clocks alone. */
  readonly expiresSeconds: number | undefined
}

export interface CredentialScope {
  /** As `20260401`. */
  readonly date: string
  /** Whatever the client calls it: there is one region. */
  readonly region: string
}

export const signatureAlgorithm = 'AWS4-HMAC-SHA256'

/** As the string to sign has it. */
export const scopeText = ({ date, region }: CredentialScope): string =>
  `${date}/${region}/s3/aws4_request`

interface Credential {
  readonly accessKeyId: string
  readonly scope: CredentialScope
}

const maxTextLength = 256
const datePattern = /^\d{8}$/u

/**
 * `<access key>/<date>/<region>/s3/aws4_request`. `code` is what S3 calls a fault in where it stood.
 */
export function parseCredential(text: string, code: S3ErrorCode): Credential {
  const parts = text.length > maxTextLength ? [] : text.split('/')
  const [date = '', region = '', service, terminal] = parts.slice(-4)
  const accessKeyId = parts.slice(0, -4).join('/')
  if (accessKeyId === '' || region === '' || terminal !== 'aws4_request')
    throw malformed(code, 'expecting "<access key>/YYYYMMDD/<region>/s3/aws4_request"')
  if (!datePattern.test(date)) throw malformed(code, 'the date of the credential must be YYYYMMDD')
  if (service !== 's3')
    throw malformed(code, 'the service of the credential is wrong; this endpoint belongs to "s3"')
  return { accessKeyId, scope: { date, region } }
}

const namePattern = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u
const maxSignedHeaders = 100

export function parseSignedHeaders(text: string, code: S3ErrorCode): readonly string[] {
  const names = text.split(';', maxSignedHeaders + 1)
  if (names.length > maxSignedHeaders || !names.every((name) => namePattern.test(name)))
    throw malformed(code, 'SignedHeaders must be names in lower case with semicolons between')
  if (!names.includes('host')) throw malformed(code, 'SignedHeaders must have host')
  return names
}

const signaturePattern = /^[0-9a-f]{64}$/u

export function parseSignature(text: string, code: S3ErrorCode): string {
  if (!signaturePattern.test(text)) throw malformed(code, 'Signature must be 64 hex digits')
  return text
}

const timePattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u

/** In milliseconds since 1970; `undefined` where it is no such time. */
export function millisecondsOf(time: string): number | undefined {
  const [, year, month, day, hour, minute, second] = timePattern.exec(time) ?? []
  if (year === undefined) return undefined
  const parsed = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(parsed) ? undefined : parsed
}

const prefixes: Partial<Record<S3ErrorCode, string>> = {
  AuthorizationHeaderMalformed: 'The authorization header is malformed; ',
  AuthorizationQueryParametersError: 'Error parsing the query of the signature; ',
}

export const malformed = (code: S3ErrorCode, reason: string): S3Error =>
  new S3Error(code, `${prefixes[code] ?? ''}${reason}.`)
