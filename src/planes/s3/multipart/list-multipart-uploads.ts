import type {
  MultipartUpload,
  MultipartUploads,
} from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { requireBucket } from '../objects/find-object.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import { countIn, keyOfPath } from './multipart-request.ts'
import { termsOf } from './upload-terms.ts'

export interface ListUploadsDependencies {
  readonly multipart: Pick<MultipartUploads, 'list'>
  readonly published: Pick<Manifest, 'zone'>
}

const mostUploads = 1000
/** Behind every text that begins with what stands before it, in the order of UTF-8. */
const lastCharacter = '\u{10ffff}'

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html */
export const listMultipartUploads: S3Operations<ListUploadsDependencies> = (dependencies) => [
  {
    name: 'ListMultipartUploads',
    method: 'GET',
    target: 'bucket',
    query: ['uploads'],
    scope: 'storage:read',
    handle: async (asked) => {
      const { bucket = '', query } = asked
      requireBucket(bucket, asked, dependencies.published)
      const wanted = listingOf(query)
      const found = await uploadsOf(asked, wanted, dependencies)
      return listed({ bucket, wanted, found })
    },
  },
]

interface Listing {
  readonly prefix: string
  readonly delimiter: string
  readonly keyMarker: string
  readonly uploadIdMarker: string
  readonly limit: number
  readonly isEncoded: boolean
}

function listingOf(query: URLSearchParams): Listing {
  const encoding = query.get('encoding-type')
  if (encoding !== null && encoding !== 'url')
    throw new S3Error('InvalidArgument', 'Invalid Encoding Method specified in Request', {
      elements: { ArgumentName: 'encoding-type', ArgumentValue: encoding.slice(0, 100) },
    })
  const keyMarker = textIn(query, 'key-marker')
  return {
    prefix: textIn(query, 'prefix'),
    delimiter: textIn(query, 'delimiter'),
    keyMarker,
    // Without a key it says nothing.
    uploadIdMarker: keyMarker === '' ? '' : textIn(query, 'upload-id-marker'),
    limit: countIn(query, 'max-uploads', { usual: mostUploads, most: mostUploads }),
    isEncoded: encoding === 'url',
  }
}

const maxLength = 1024

function textIn(query: URLSearchParams, name: string): string {
  const text = query.get(name) ?? ''
  if (Buffer.byteLength(text) <= maxLength) return text
  throw new S3Error('InvalidArgument', `${name} must have at most ${maxLength} bytes`, {
    elements: { ArgumentName: name },
  })
}

interface FoundUploads {
  readonly uploads: readonly MultipartUpload[]
  readonly prefixes: readonly string[]
  /** Of the last that is shown; `undefined` where nothing follows. */
  readonly next: { readonly key: string; readonly id: string } | undefined
}

async function uploadsOf(
  asked: S3Request,
  listing: Listing,
  dependencies: ListUploadsDependencies,
): Promise<FoundUploads> {
  const uploads: MultipartUpload[] = []
  const prefixes: string[] = []
  let next: FoundUploads['next']
  for await (const { upload, group } of entriesOf(asked, listing, dependencies)) {
    if (uploads.length + prefixes.length === listing.limit) return { uploads, prefixes, next }
    if (group === undefined) uploads.push(upload)
    else prefixes.push(group)
    next = { key: group ?? keyOfPath(upload.path), id: group === undefined ? upload.id : '' }
  }
  return { uploads, prefixes, next: undefined }
}

interface ListedEntry {
  readonly upload: MultipartUpload
  /** What stands for it, and for all others that begin so. */
  readonly group: string | undefined
}

/** So many are read at once where most of them may stand for one group. */
const readInGroups = 50

/** Of what begins alike up to the delimiter one is looked at, and what follows is skipped. */
async function* entriesOf(
  { bucket = '', caller }: S3Request,
  listing: Listing,
  { multipart }: ListUploadsDependencies,
): AsyncGenerator<ListedEntry, void, undefined> {
  const { prefix, delimiter } = listing
  const root = `${bucket}/v1/`
  const limit = delimiter === '' ? listing.limit + 1 : readInGroups
  let after = firstPlace(root, listing)
  for (;;) {
    const page = { zone: bucket, prefix: `${root}${prefix}`, after, limit }
    const found = await multipart.list(page, caller.actor)
    let group: string | undefined
    for (const upload of found) {
      group = commonPrefix(keyOfPath(upload.path), prefix, delimiter)
      after = { path: upload.path, id: upload.id }
      yield { upload, group }
      if (group !== undefined) break
    }
    if (group !== undefined) after = { path: `${root}${group}${lastCharacter}`, id: '' }
    else if (found.length < limit) return
  }
}

function firstPlace(root: string, listing: Omit<Listing, 'limit' | 'isEncoded'>) {
  const { keyMarker, uploadIdMarker, prefix, delimiter } = listing
  if (keyMarker === '') return undefined
  const isGroup = delimiter !== '' && commonPrefix(keyMarker, prefix, delimiter) === keyMarker
  const path = `${root}${keyMarker}${isGroup ? lastCharacter : ''}`
  return { path, id: uploadIdMarker === '' ? lastCharacter : uploadIdMarker }
}

function commonPrefix(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === '' || !key.startsWith(prefix)) return undefined
  const place = key.indexOf(delimiter, prefix.length)
  return place === -1 ? undefined : key.slice(0, place + delimiter.length)
}

interface Listed {
  readonly bucket: string
  readonly wanted: Listing
  readonly found: FoundUploads
}

function listed({ bucket, wanted, found: { uploads, prefixes, next } }: Listed): Response {
  const encoded = (text: string) => (wanted.isEncoded ? encodeURIComponent(text) : text)
  return xmlResponse('ListMultipartUploadsResult', {
    Bucket: bucket,
    KeyMarker: encoded(wanted.keyMarker),
    UploadIdMarker: wanted.uploadIdMarker,
    NextKeyMarker: next && encoded(next.key),
    NextUploadIdMarker: next && next.id,
    Prefix: encoded(wanted.prefix),
    Delimiter: wanted.delimiter === '' ? undefined : encoded(wanted.delimiter),
    EncodingType: wanted.isEncoded ? 'url' : undefined,
    MaxUploads: wanted.limit,
    IsTruncated: next !== undefined,
    Upload: uploads.map((upload) => listedUpload(upload, encoded)),
    CommonPrefixes: prefixes.map((prefix) => ({ Prefix: encoded(prefix) })),
  })
}

function listedUpload(upload: MultipartUpload, encoded: (text: string) => string) {
  const { checksum } = termsOf(upload)
  const owner = { ID: upload.credentialId, DisplayName: upload.credentialId }
  return {
    Key: encoded(keyOfPath(upload.path)),
    UploadId: upload.id,
    Initiator: owner,
    Owner: owner,
    StorageClass: 'STANDARD',
    Initiated: upload.createdAt.toISOString(),
    ChecksumAlgorithm: checksum?.algorithm,
    ChecksumType: checksum?.type,
  }
}
