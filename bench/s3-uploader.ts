import { type S3Credentials, signRequest } from '../src/adapters/s3/sign-request.ts'
import { mapConcurrently } from '../src/lib/async/map-concurrently.ts'

/** Where a bucket is, path style. */
export interface Bucket {
  readonly url: string
  readonly credentials: S3Credentials
}

interface PartedFile {
  readonly key: string
  readonly file: Blob
  readonly partBytes: number
  readonly partsAtOnce: number
}

/** What any client does that has a large file, and no more: the same to every server. */
export async function uploadInParts(
  bucket: Bucket,
  { key, file, partBytes, partsAtOnce }: PartedFile,
): Promise<void> {
  const begun = await send(bucket, { method: 'POST', key, query: { uploads: '' } })
  const uploadId = /<UploadId>([^<]+)</u.exec(await begun.text())?.[1] ?? ''
  const numbers = Array.from({ length: Math.ceil(file.size / partBytes) }, (_, index) => index + 1)
  const parts = await mapConcurrently(numbers, partsAtOnce, async (number) => {
    const body = file.slice((number - 1) * partBytes, number * partBytes)
    const query = { partNumber: String(number), uploadId }
    const response = await send(bucket, { method: 'PUT', key, query, body })
    await response.arrayBuffer()
    const etag = response.headers.get('etag') ?? ''
    return `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`
  })
  const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
  const done = await send(bucket, { method: 'POST', key, query: { uploadId }, body })
  const text = await done.text()
  if (!text.includes('<ETag>')) throw new Error(`not completed: ${text}`)
}

interface Asked {
  readonly method: string
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Blob | string | Uint8Array<ArrayBuffer>
}

/** Signed, but for the body. */
export async function send(
  { url: bucketUrl, credentials }: Bucket,
  { method, key, query = {}, body }: Asked,
): Promise<Response> {
  const url = new URL(`${bucketUrl}/${key}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const unsigned = { method, url, headers: {}, bodySha256: 'UNSIGNED-PAYLOAD' }
  const headers = signRequest(unsigned, { credentials, region: 'us-east-1', now: new Date() })
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  if (!response.ok) throw new Error(`${method} ${key}: ${response.status} ${await response.text()}`)
  return response
}
