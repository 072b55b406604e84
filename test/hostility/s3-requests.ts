import type { S3Credentials } from '../../src/adapters/s3/sign-request.ts'
import type { Random } from '../support/random.ts'
import type { OperationKind } from './documented-operations.ts'
import { randomNetworkPeer, type GeneratedRequest } from './generated-requests.ts'
import { absurdValue, type Caller, type Making, moods, nextTo, valueFor } from './hostile-values.ts'
import { type DocumentName, documentFor } from './s3-documents.ts'
import { encodedPath, forge, signSomehow, type Unsigned } from './s3-signing.ts'

/** Who asks for objects: with a key of their own, with somebody else's name and no secret, or with none. */
export interface S3Caller extends Caller {
  readonly credentials: S3Credentials | undefined
  readonly hasSecret: boolean
}

interface Template {
  readonly method: string
  readonly target: 'service' | 'bucket' | 'object'
  /** Names of what makes it this operation, with a value where that is always the same. */
  readonly query?: readonly string[]
  readonly document?: DocumentName
  readonly headers?: readonly string[]
}

const listing = ['prefix', 'delimiter', 'max-keys', 'start-after', 'marker', 'encoding-type=url']
const writing = [
  'content-type',
  'content-md5',
  'if-none-match',
  'if-match',
  'x-amz-meta-note',
  'x-amz-tagging',
  'x-amz-storage-class',
  'x-amz-acl',
  'x-amz-checksum-crc32',
  'x-amz-checksum-sha256',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-website-redirect-location',
  'x-amz-content-sha256',
  'x-amz-decoded-content-length',
  'content-encoding',
  'expires',
  'cache-control',
]
const reading = ['range', 'if-match', 'if-none-match', 'if-modified-since', 'x-amz-checksum-mode']
const copying = [
  'x-amz-copy-source',
  'x-amz-copy-source-if-match',
  'x-amz-copy-source-range',
  'x-amz-metadata-directive',
  'x-amz-tagging-directive',
]

const templates: readonly [Template, ...Template[]] = [
  { method: 'GET', target: 'service', query: [] },
  { method: 'PUT', target: 'bucket', document: 'CreateBucketConfiguration' },
  { method: 'HEAD', target: 'bucket' },
  { method: 'DELETE', target: 'bucket' },
  { method: 'GET', target: 'bucket', query: ['list-type=2', 'continuation-token', 'fetch-owner'] },
  { method: 'GET', target: 'bucket', query: ['list-type=2'] },
  { method: 'GET', target: 'bucket' },
  { method: 'GET', target: 'bucket', query: ['versions', 'version-id-marker', 'key-marker'] },
  { method: 'GET', target: 'bucket', query: ['uploads', 'upload-id-marker', 'key-marker'] },
  ...['location', 'versioning', 'acl', 'cors', 'policy', 'tagging', 'lifecycle', 'object-lock'].map(
    (name) => ({ method: 'GET', target: 'bucket' as const, query: [name] }),
  ),
  { method: 'PUT', target: 'bucket', query: ['cors'], document: 'CORSConfiguration' },
  { method: 'PUT', target: 'bucket', query: ['versioning'], document: 'VersioningConfiguration' },
  { method: 'PUT', target: 'bucket', query: ['acl'], document: 'AccessControlPolicy' },
  { method: 'POST', target: 'bucket', query: ['delete'], document: 'Delete' },
  { method: 'POST', target: 'bucket', query: ['delete'], document: 'Delete' },
  { method: 'POST', target: 'bucket' },
  { method: 'PUT', target: 'object', headers: writing },
  { method: 'PUT', target: 'object', headers: writing },
  { method: 'PUT', target: 'object', headers: copying },
  { method: 'GET', target: 'object', headers: reading },
  { method: 'GET', target: 'object', query: ['versionId'], headers: reading },
  { method: 'GET', target: 'object', query: ['response-content-type', 'partNumber'] },
  { method: 'HEAD', target: 'object', headers: reading },
  { method: 'DELETE', target: 'object' },
  { method: 'DELETE', target: 'object', query: ['versionId'] },
  { method: 'GET', target: 'object', query: ['attributes'], headers: ['x-amz-object-attributes'] },
  { method: 'GET', target: 'object', query: ['acl'] },
  { method: 'GET', target: 'object', query: ['tagging'] },
  { method: 'PUT', target: 'object', query: ['tagging'], document: 'Tagging' },
  { method: 'DELETE', target: 'object', query: ['tagging'] },
  { method: 'POST', target: 'object', query: ['uploads'], headers: writing },
  { method: 'PUT', target: 'object', query: ['uploadId', 'partNumber'], headers: writing },
  { method: 'PUT', target: 'object', query: ['uploadId', 'partNumber'], headers: copying },
  { method: 'GET', target: 'object', query: ['uploadId', 'max-parts', 'part-number-marker'] },
  { method: 'DELETE', target: 'object', query: ['uploadId'] },
  {
    method: 'POST',
    target: 'object',
    query: ['uploadId'],
    headers: writing,
    document: 'CompleteMultipartUpload',
  },
  { method: 'PATCH', target: 'object' },
]

/** What S3 answers, whatever was asked: each is the status of a code of its own. */
export const s3Statuses = [
  200, 204, 206, 301, 304, 400, 403, 404, 405, 409, 411, 412, 416, 431, 451, 501, 503,
].map(String)
const operation: OperationKind = { id: 's3', statuses: new Set(s3Statuses) }

interface Asking {
  readonly origin: string
  readonly random: Random
  readonly now: () => Date
}

/** A request of the S3 plane: mostly as a client would make it, nearly so, or as none would. */
export function generateS3(caller: S3Caller, { origin, random, now }: Asking): GeneratedRequest {
  const making: Making = { random, pool: caller.pool, ...random.pick(moods), left: 500 }
  const template = random.pick(templates)
  const unsigned = unsignedOf(template, making)
  const { credentials, hasSecret } = caller
  const sendable =
    credentials === undefined
      ? { target: `/s3${unsigned.path}${queryText(unsigned.query)}`, headers: unsigned.headers }
      : (hasSecret ? signSomehow : forge)(unsigned, { origin, credentials, now }, random)
  const { method, body } = unsigned
  return {
    operation: { ...operation, id: nameOf(template) },
    caller,
    method,
    ...sendable,
    body: method === 'GET' || method === 'HEAD' ? undefined : body,
    address: randomNetworkPeer(random),
  }
}

const nameOf = ({ method, target, query = [], headers }: Template): string =>
  ['s3', method, target, query[0], headers === copying ? 'copy' : undefined]
    .filter((word) => word !== undefined)
    .join(' ')

const queryText = (query: Unsigned['query']): string =>
  Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`

function unsignedOf(template: Template, making: Making): Unsigned {
  const { random } = making
  const [zone = '', ...rest] = pathFor(making).split('/')
  const key = rest.join('/')
  const path = { service: '/', bucket: `/${zone}`, object: `/${zone}/${key}` }[template.target]
  const isRaw = random.integer(1, 300) <= making.absurd
  return {
    method: template.method,
    path: isRaw ? path.replaceAll(/[\s?#]/gu, '') : encodedPath(path),
    query: queryOf(template, making),
    headers: headersOf(template, making),
    body:
      template.document === undefined
        ? random.bytes(random.integer(0, 200))
        : documentFor(template.document, making),
  }
}

/** Bucket, slash and key. */
function pathFor(making: Making): string {
  const path = valueFor('path', { type: 'string' }, making)
  const text = typeof path === 'string' ? path : (JSON.stringify(path) ?? '').slice(0, 2000)
  const object = making.random.next() < 0.9 ? text.replace('/v1/', '/') : text
  return making.random.next() < 0.3 ? `${object}-${making.random.integer(1, 30)}` : object
}

function queryOf({ query = [], target }: Template, making: Making): Unsigned['query'] {
  const { random } = making
  const more = target === 'bucket' ? listing.filter(() => random.next() < 0.2) : []
  const made: Record<string, string> = {}
  for (const [index, each] of [...query, ...more].entries()) {
    const [name = '', value] = each.split('=')
    if (index > 1 && random.next() < 0.5) continue
    made[name] = value ?? valueOf(name, making)
  }
  return made
}

const flags: ReadonlySet<string> = new Set(['uploads', 'versions', 'delete', 'acl', 'tagging'])

function valueOf(name: string, making: Making): string {
  const { random } = making
  if (flags.has(name)) return ''
  if (/number|max-/iu.test(name)) return numberText(making)
  if (name === 'delimiter') return random.pick(['/', '/', '', 'a', '//', '%'])
  const value = valueFor(name, { type: 'string' }, making)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (name === 'prefix' ? text.replace(/^[a-z]+\/(?:v1\/)?/u, '') : text)
    .slice(0, 3000)
    .toWellFormed()
}

function numberText(making: Making): string {
  const { random, absurd } = making
  if (random.integer(1, 100) <= absurd)
    return wordsOf(absurdValue(making)).slice(0, 99).toWellFormed()
  return String(random.pick([1, 2, 1000, 0, 1001, 10_000, 10_001]))
}

const knownValues: Readonly<Record<string, readonly [string, ...string[]]>> = {
  range: ['bytes=0-3', 'bytes=-2', 'bytes=9-', 'bytes=3-1', 'bytes=0-1,3-4', 'lines=1'],
  'content-type': ['text/plain', 'image/png', 'a', 'text/html; charset=x'],
  'content-encoding': ['aws-chunked', 'gzip', 'aws-chunked,gzip'],
  'x-amz-content-sha256': [
    'UNSIGNED-PAYLOAD',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'no',
  ],
  'x-amz-decoded-content-length': ['0', '5', '-1', '99999999999999999999'],
  'x-amz-object-attributes': ['ETag', 'ETag,ObjectSize,StorageClass,Checksum,ObjectParts', 'a'],
  'x-amz-metadata-directive': ['COPY', 'REPLACE', 'no'],
  'x-amz-tagging-directive': ['COPY', 'REPLACE', 'no'],
  'x-amz-checksum-mode': ['ENABLED'],
  'x-amz-sdk-checksum-algorithm': ['CRC32', 'SHA256', 'MD4'],
  'x-amz-copy-source-range': ['bytes=0-1', 'bytes=0-99999999', 'bytes=1'],
  'if-none-match': ['*', '"no"'],
  'x-amz-tagging': ['a=b', 'a=b&a=c', '='.repeat(50)],
}

function headersOf({ headers = [] }: Template, making: Making): Unsigned['headers'] {
  const { random } = making
  const made: Record<string, string> = {}
  for (const name of headers) {
    const isNeeded = name === 'x-amz-copy-source' || name === 'x-amz-object-attributes'
    if (random.next() > (isNeeded ? 0.97 : 0.12)) continue
    made[name] = headerText(name, making).replaceAll(/[^\x20-\x7e]/gu, '')
  }
  return made
}

function headerText(name: string, making: Making): string {
  const { random, near } = making
  const [first, ...others] = knownValues[name] ?? ['']
  const known = random.pick([first, ...others])
  const isKnown = known !== '' && random.next() < 0.9
  const value = name === 'x-amz-copy-source' ? encodedPath(`/${pathFor(making)}`) : known
  const text = isKnown || value !== '' ? value : wordsOf(valueFor(name, { type: 'string' }, making))
  return (random.integer(1, 100) <= near ? nextTo(text, random) : text).slice(0, 2000)
}

const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
