import { expect } from 'bun:test'

import type { Random } from './random.ts'
import type { S3Client } from './s3-client.ts'

const partBytes = 5 * 2 ** 20

/** An object whose parts are on their way. */
interface KnownUpload {
  readonly key: string
  readonly id: string
  readonly parts: readonly Uint8Array<ArrayBuffer>[]
  /** The ETags of the parts that were acknowledged, by number. */
  readonly etags: Map<number, string>
}

/** Puts objects, small ones whole and large ones in parts, and remembers what was acknowledged. */
export interface S3LedgerClient {
  acknowledgedObjects: number
  acknowledgedParts: number
  /** Sends until the service is gone. */
  work(s3: S3Client): Promise<void>
  /** Holds the service to all that was acknowledged, and to showing objects whole or not at all. */
  verify(s3: S3Client): Promise<void>
}

export function createS3LedgerClient(name: string, random: Random): S3LedgerClient {
  const contents = new Map<string, Uint8Array>()
  const keyOf = (index: number) => `kills/${name}/${index}.bin`
  let count = 0
  let current: KnownUpload | undefined
  /** Sent, and not answered: may be there or not. */
  let unanswered: { readonly key: string; readonly content: Uint8Array } | undefined

  async function putSmall(s3: S3Client): Promise<void> {
    // Now and then over one that is there.
    const index = random.integer(0, 3) === 0 ? random.integer(1, Math.max(count, 1)) : (count += 1)
    const key = keyOf(index)
    if (key === current?.key) return
    const content = contentOf(`${key} ${random.integer(0, 1e9)}`, random.integer(0, 40_000))
    unanswered = { key, content }
    const response = await s3.put(key, content)
    expect(response.status).toBe(200)
    acknowledge(key, content)
  }

  async function beginLarge(s3: S3Client): Promise<KnownUpload> {
    count += 1
    const key = keyOf(count)
    const sizes = Array.from({ length: random.integer(1, 3) }, () => partBytes)
    const parts = [...sizes, random.integer(1, 1_000_000)].map((sizeBytes, index) =>
      contentOf(`${key} ${index}`, sizeBytes),
    )
    const response = await s3.send('POST', `/${key}`, { query: { uploads: '' } })
    expect(response.status).toBe(200)
    const id = /<UploadId>([^<]+)</u.exec(await response.text())?.[1] ?? ''
    return { key, id, parts, etags: new Map() }
  }

  async function sendPart(s3: S3Client, upload: KnownUpload, number: number): Promise<void> {
    const body = upload.parts[number - 1]
    const query = { partNumber: String(number), uploadId: upload.id }
    const response = await s3.send('PUT', `/${upload.key}`, { query, ...(body && { body }) })
    expect(response.status).toBe(200)
    upload.etags.set(number, response.headers.get('etag') ?? '')
    client.acknowledgedParts += 1
  }

  async function goOn(s3: S3Client, upload: KnownUpload): Promise<void> {
    const missing = upload.parts.keys().map((index) => index + 1)
    const numbers = [...missing].filter((number) => !upload.etags.has(number)).toReversed()
    if (numbers.length > 0)
      return void (await Promise.all(numbers.slice(0, 2).map((each) => sendPart(s3, upload, each))))
    const content = new Uint8Array(Buffer.concat(upload.parts))
    unanswered = { key: upload.key, content }
    const response = await s3.send('POST', `/${upload.key}`, {
      query: { uploadId: upload.id },
      body: completionOf(upload),
    })
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('</CompleteMultipartUploadResult>'),
    ])
    current = undefined
    acknowledge(upload.key, content)
  }

  function acknowledge(key: string, content: Uint8Array): void {
    contents.set(key, content)
    client.acknowledgedObjects += 1
    unanswered = undefined
  }

  async function verifyUnanswered(s3: S3Client): Promise<void> {
    if (unanswered === undefined) return
    const { key, content } = unanswered
    const seen = await stored(key, s3)
    const before = contents.get(key)
    const isNew = seen !== undefined && Buffer.compare(seen, content) === 0
    if (isNew) contents.set(key, content)
    else expectSame(seen, before)
    unanswered = undefined
  }

  async function verifyParts(s3: S3Client): Promise<void> {
    if (current === undefined) return
    const { key, id, etags } = current
    const response = await s3.send('GET', `/${key}`, { query: { uploadId: id } })
    const xml = await response.text()
    // Its completion came through, and nobody heard of it.
    if (response.status === 404 && contents.has(key)) return void (current = undefined)
    expect(response.status).toBe(200)
    for (const [number, etag] of etags)
      expect(xml).toMatch(
        new RegExp(
          `<PartNumber>${number}</PartNumber>.{0,99}<ETag>${etag.replaceAll('"', '&quot;')}`,
          'u',
        ),
      )
    if (!contents.has(key)) expect(await stored(key, s3)).toBeUndefined()
  }

  const client: S3LedgerClient = {
    acknowledgedObjects: 0,
    acknowledgedParts: 0,
    async work(s3) {
      for (;;)
        try {
          await putSmall(s3)
          current ??= await beginLarge(s3)
          await goOn(s3, current)
        } catch (error) {
          if (isAssertion(error)) throw error
          return
        }
    },
    async verify(s3) {
      await verifyUnanswered(s3)
      await verifyParts(s3)
      const keys = [...contents.keys()]
      for (const key of [...keys.slice(-3), ...keys.slice(0, 2)])
        expectSame(await stored(key, s3), contents.get(key))
    },
  }
  return client
}

const completionOf = ({ etags }: KnownUpload): string => {
  const parts = [...etags]
    .toSorted(([one], [other]) => one - other)
    .map(([number, etag]) => `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`)
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}

/** Bytes that say whose they are and where they belong. */
function contentOf(whose: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(sizeBytes)
  content.fill(Number(Bun.hash(whose) % 251n))
  const view = new DataView(content.buffer)
  for (let place = 0; place + 8 <= sizeBytes; place += 1024)
    view.setBigUint64(place, Bun.hash(`${whose} ${place}`))
  return content
}

async function stored(key: string, s3: S3Client): Promise<Uint8Array | undefined> {
  const response = await s3.get(key)
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.status === 404) return undefined
  expect(response.status).toBe(200)
  return bytes
}

function expectSame(seen: Uint8Array | undefined, wanted: Uint8Array | undefined): void {
  expect(seen?.length).toBe(wanted?.length)
  if (seen && wanted) expect(Buffer.compare(seen, wanted)).toBe(0)
}

/** The connection goes when the service is killed; what the service says wrongly is another thing. */
const isAssertion = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('expect(')
