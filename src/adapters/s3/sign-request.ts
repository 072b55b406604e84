import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken: string | undefined
}

export interface UnsignedRequest {
  readonly method: string
  /** With its path encoded as it will be sent. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Lower-case hex SHA-256 of the body; of no bytes where there is none. */
  readonly bodySha256: string
}

interface Signer {
  readonly credentials: S3Credentials
  readonly region: string
  readonly now: Date
}

/**
 * The header fields of a request, with a signature that covers its method, URL, fields and body:
 * AWS Signature Version 4, as the documentation of Amazon S3 describes it ("Authenticating Requests").
 */
export function signRequest(
  { method, url, headers, bodySha256 }: UnsignedRequest,
  { credentials, region, now }: Signer,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/gu, '')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const { sessionToken, accessKeyId } = credentials
  const fields: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodySha256,
    'x-amz-date': time,
    ...(sessionToken === undefined ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(fields).toSorted()
  const signedNames = names.join(';')
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${fields[name]?.trim() ?? ''}`),
    '',
    signedNames,
    bodySha256,
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const signature = hmac(signingKey(credentials.secretAccessKey, scope), toSign).toString('hex')
  const { host: _host, ...sent } = fields
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`,
  }
}

const signingKey = (secret: string, scope: string): Buffer =>
  scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`))

const canonicalQuery = (parameters: URLSearchParams): string =>
  [...parameters]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')

/** RFC 3986: all but the unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
