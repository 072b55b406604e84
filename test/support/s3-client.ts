import { createHash, createHmac } from 'node:crypto'

import { signRequest, type S3Credentials } from '../../src/adapters/s3/sign-request.ts'
import { account } from './service-process.ts'

type Send = (path: string, init: RequestInit) => Promise<Response>
type Body = string | Uint8Array<ArrayBuffer>
type Fields = Readonly<Record<string, string>>

export interface S3RequestOptions {
  readonly query?: Fields
  readonly headers?: Fields
  readonly body?: Body
}

/** A client of S3 as small as can be: path style, each request signed in its header. */
export interface S3Client {
  readonly credentials: S3Credentials
  /** `path` is below `/s3`, encoded as it is to be sent. */
  send(method: string, path: string, options?: S3RequestOptions): Promise<Response>
  /** `object` is bucket, slash and key, not encoded. */
  put(object: string, body: Body, headers?: Fields): Promise<Response>
  get(object: string, headers?: Fields): Promise<Response>
  head(object: string, headers?: Fields): Promise<Response>
  delete(object: string, query?: Fields): Promise<Response>
}

interface Options {
  /** Takes a path below the service's own host, e.g. `/s3/acme/a.txt`. */
  readonly send: Send
  /** What the service is called by those who send. */
  readonly origin?: string
  readonly credentials: S3Credentials
  readonly region?: string
  readonly now?: () => Date
}

export function createS3Client(options: Options): S3Client {
  const send: S3Client['send'] = async (method, path, asked = {}) => {
    const { headers, url } = signed(method, path, { ...options, ...asked })
    return await options.send(`${url.pathname}${url.search}`, {
      method,
      headers,
      ...(asked.body !== undefined && { body: asked.body }),
    })
  }
  return {
    credentials: options.credentials,
    send,
    put: (object, body, headers = {}) => send('PUT', encoded(object), { body, headers }),
    get: (object, headers = {}) => send('GET', encoded(object), { headers }),
    head: (object, headers = {}) => send('HEAD', encoded(object), { headers }),
    delete: (object, query = {}) => send('DELETE', encoded(object), { query }),
  }
}

/** A request with its signature, to be sent as it is or changed before. `path` begins with the bucket. */
export function signed(
  method: string,
  path: string,
  { origin = 'http://127.0.0.1:8788', ...options }: Omit<Options, 'send'> & S3RequestOptions,
): { readonly url: URL; readonly headers: Record<string, string> } {
  const url = new URL(`/s3${path}`, origin)
  for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, value)
  const { body = '', credentials, region = 'us-east-1', now = () => new Date() } = options
  const lowered = Object.entries(options.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  )
  const given = Object.fromEntries(lowered)
  const bodySha256 =
    given['x-amz-content-sha256'] ?? createHash('sha256').update(body).digest('hex')
  const unsigned = { method, url, headers: given, bodySha256 }
  return { url, headers: signRequest(unsigned, { credentials, region, now: now() }) }
}

interface PresignOptions {
  readonly origin: string
  readonly credentials: S3Credentials
  readonly expiresSeconds?: number
  readonly query?: Fields
  readonly now?: Date
}

/** A URL that whoever has it may ask for. `path` begins with the bucket, encoded as it is to be sent. */
export function presigned(
  method: string,
  path: string,
  { origin, credentials, expiresSeconds = 60, query = {}, now = new Date() }: PresignOptions,
): string {
  const url = new URL(`/s3${path}`, origin)
  const time = now.toISOString().replace(/[-:]|\.\d{3}/gu, '')
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`
  const fields = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expiresSeconds),
    'X-Amz-SignedHeaders': 'host',
    ...query,
  }
  const parameters = Object.entries(fields)
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`)
    .toSorted()
    .join('&')
  const lines = [
    method,
    url.pathname,
    parameters,
    `host:${url.host}`,
    '',
    'host',
    'UNSIGNED-PAYLOAD',
  ]
  const hash = createHash('sha256').update(lines.join('\n')).digest('hex')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, hash].join('\n')
  url.search = `${parameters}&X-Amz-Signature=${hmac(keyOf(credentials, scope), toSign).toString('hex')}`
  return url.href
}

/** What signs all of a day. */
export const keyOf = ({ secretAccessKey }: S3Credentials, scope: string): Buffer =>
  scope
    .split('/')
    .reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secretAccessKey}`))

export const hmac = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

interface TokenOptions {
  readonly zones?: readonly string[]
  readonly scopes?: readonly string[]
}

/** A key made with the account key; for every zone, to read and write, where nothing else is wanted. */
export async function s3KeyFrom(
  send: Send,
  {
    zones,
    scopes = ['storage:read', 'storage:write', 'zones:read', 'zones:write'],
  }: TokenOptions = {},
): Promise<S3Credentials & { readonly accessKeyId: string }> {
  const response = await send('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'S3', scopes, ...(zones && { zones }), S3: true }),
  })
  const made = (await response.json()) as { AccessKeyId: string; SecretAccessKey: string }
  if (response.status !== 201) throw new Error(`no key of S3: ${JSON.stringify(made)}`)
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey } = made
  return { accessKeyId, secretAccessKey, sessionToken: undefined }
}

/** The same of a service that is asked in process, or by its URL. */
export async function openS3Client(
  service:
    { fetch(path: string, init?: RequestInit): Promise<Response> } | { readonly url: string },
  options: TokenOptions = {},
): Promise<S3Client> {
  const origin = 'url' in service ? service.url : undefined
  const send: Send = (path, init) =>
    'url' in service ? fetch(`${service.url}${path}`, init) : service.fetch(path, init)
  const credentials = await s3KeyFrom(send, options)
  return createS3Client({ send, credentials, ...(origin !== undefined && { origin }) })
}

const encoded = (object: string): string => ['', ...object.split('/')].map(encodeSegment).join('/')

/** RFC 3986 §2.3: all but the unreserved characters. */
const encodeSegment = (segment: string): string =>
  encodeURIComponent(segment).replace(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
