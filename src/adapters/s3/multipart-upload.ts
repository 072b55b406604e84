import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { failure, type S3Client, type S3Request, type S3Response, sha256 } from './s3-client.ts'
import { elementsOf, readElements } from './xml-elements.ts'

const partsAtOnce = 3
/** A store that copies, or puts parts together, may have gigabytes to move before it answers. */
const movingMs = 300_000

/** An object as long as it has this ETag, or a part of it. */
export interface CopiedObject {
  readonly key: string
  readonly etag: string
  readonly span?: { readonly start: number; readonly end: number }
}

/** Bytes that go through this process, or an object that the store copies without them. */
export type UploadedPart =
  | { readonly kind: 'bytes'; readonly read: () => Promise<Uint8Array<ArrayBuffer>> }
  | { readonly kind: 'copy'; readonly of: CopiedObject }

/**
 * Makes one object of parts, and answers its ETag. But for the last one no part may be smaller than 5 MiB, and
 * many stores want all but the last to be of one size. Where that fails the store has nothing of it.
 */
export async function uploadParts(
  client: S3Client,
  key: string,
  parts: readonly UploadedPart[],
): Promise<string | undefined> {
  const started = await expect(client, { method: 'POST', key, query: { uploads: '' } })
  const uploadId = elementsOf(started.bytes).get('UploadId')
  if (uploadId === undefined) throw failure({ method: 'POST', key }, started)
  try {
    const numbered = parts.map((part, index) => ({ part, number: index + 1 }))
    const tags = await mapConcurrently(numbered, partsAtOnce, async ({ part, number }) => {
      const query = { partNumber: String(number), uploadId }
      return part.kind === 'bytes'
        ? await sendPart(client, { key, query, body: await part.read() })
        : await copyPart(client, { key, query, of: part.of })
    })
    return await complete(client, { key, uploadId, tags })
  } catch (error) {
    await client.ask({ method: 'DELETE', key, query: { uploadId } }).catch(() => {})
    throw error
  }
}

/** So many are abandoned at once; the next time the rest. */
const maxAbandoned = 1000

/** Ends uploads below a key that were begun and never finished. A store that lists none has none. */
export async function abandonUploads(client: S3Client, start: string): Promise<void> {
  const query = { uploads: '', prefix: `${client.prefix}${start}`, 'max-uploads': '1000' }
  const listed = await client.ask({ method: 'GET', key: undefined, query })
  if (listed.status !== 200) return
  for (const { key, uploadId } of uploadsIn(new TextDecoder().decode(listed.bytes)))
    if (key.startsWith(`${client.prefix}${start}`))
      await client.ask({
        method: 'DELETE',
        key: key.slice(client.prefix.length),
        query: { uploadId },
      })
}

/** A page of ListMultipartUploads. */
function uploadsIn(text: string) {
  const uploads: { readonly key: string; readonly uploadId: string }[] = []
  let current: Record<string, string> = {}
  readElements(text, (name, value) => {
    if (name === 'Upload') {
      const { Key: key = '', UploadId: uploadId = '' } = current
      if (uploads.length < maxAbandoned) uploads.push({ key, uploadId })
      current = {}
    } else current[name] = value
  })
  return uploads
}

interface Part {
  readonly key: string
  readonly query: Readonly<Record<string, string>>
}

async function sendPart(
  client: S3Client,
  { key, query, body }: Part & { readonly body: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const request = { method: 'PUT', key, query, body, bodySha256: sha256(body) } as const
  return (await expect(client, request)).headers.get('etag') ?? ''
}

/** A store may say 200 first and find out later that it cannot: only the body tells. */
async function copyPart(
  client: S3Client,
  { key, query, of }: Part & { readonly of: CopiedObject },
): Promise<string> {
  const headers = {
    'x-amz-copy-source': client.copySource(of.key),
    'x-amz-copy-source-if-match': of.etag,
    ...(of.span && { 'x-amz-copy-source-range': `bytes=${of.span.start}-${of.span.end - 1}` }),
  }
  const request = { method: 'PUT', key, query, headers, attemptMs: movingMs } as const
  const response = await expect(client, request)
  const etag = elementsOf(response.bytes).get('ETag')
  if (etag === undefined) throw failure(request, response)
  return etag
}

interface Completion {
  readonly key: string
  readonly uploadId: string
  readonly tags: readonly string[]
}

/** As of a copy, only the body tells. */
async function complete(
  client: S3Client,
  { key, uploadId, tags }: Completion,
): Promise<string | undefined> {
  const parts = tags.map(
    (tag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
  )
  const text = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const body = new TextEncoder().encode(text)
  const described = { body, bodySha256: sha256(body), attemptMs: movingMs }
  const request = { method: 'POST', key, query: { uploadId }, ...described } as const
  const response = await expect(client, request)
  const elements = elementsOf(response.bytes)
  if (elements.has('Code')) throw failure(request, response)
  return elements.get('ETag')
}

async function expect(client: S3Client, request: S3Request): Promise<S3Response> {
  const response = await client.ask(request)
  if (response.status !== 200) throw failure(request, response)
  return response
}
