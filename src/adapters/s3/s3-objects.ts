import { type CopiedObject, type UploadedPart, uploadParts } from './multipart-upload.ts'
import { failure, type S3Response, type S3Client, type S3Request, sha256 } from './s3-client.ts'
import { readElements } from './xml-elements.ts'

/** Larger objects go up in parts and come down in ranges, each of this size. */
const partBytes = 8 * 1024 * 1024
/** What a store copies of itself at once. */
const copiedPartBytes = 256 * 1024 * 1024

export interface S3Object {
  readonly key: string
  readonly sizeBytes: number
  readonly changedAt: Date
  /** `undefined` where the store says none. */
  readonly etag: string | undefined
}

export interface OpenedObject {
  readonly sizeBytes: number
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>
}

interface AskedPart {
  readonly start: number
  readonly end: number
  /** Ends the request. */
  readonly signal?: AbortSignal
}

interface ObjectPart extends AskedPart {
  /** Of the whole object. */
  readonly sizeBytes: number
}

/** Bytes that can be read a piece at a time, as often as need be. */
export interface Source {
  readonly sizeBytes: number
  readonly sha256: string
  bytes(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

/** Objects of one bucket: whole or in parts, with only what every store that speaks S3 has. */
export class S3Objects {
  readonly #client: S3Client

  constructor(client: S3Client) {
    this.#client = client
  }

  /**
   * Replaces what is there, and answers its ETag. The store is told the SHA-256 of all it gets, and refuses
   * what differs.
   */
  async put(key: string, source: Source): Promise<string | undefined> {
    if (source.sizeBytes > partBytes) return await this.putParts(key, partsOf(source))
    const body = await source.bytes(0, source.sizeBytes)
    const request = { method: 'PUT', key, body, bodySha256: source.sha256 } as const
    return (await this.#expect(request)).headers.get('etag') ?? undefined
  }

  /** As {@link put}, of parts that others may be copied of. */
  async putParts(key: string, parts: readonly UploadedPart[]): Promise<string | undefined> {
    return await uploadParts(this.#client, key, parts)
  }

  /**
   * Has the time of an object become now. A store may take a copy onto itself for nothing new, so that a
   * large one is put together anew of itself, and a small one sent once more.
   *
   * @param name - the SHA-256 of its bytes.
   */
  async renew({ key, sizeBytes, etag }: S3Object, name: string): Promise<void> {
    if (sizeBytes > partBytes && etag !== undefined)
      return void (await this.putParts(key, partsWithin({ key, etag }, sizeBytes)))
    const bytes = Buffer.concat(await Array.fromAsync((await this.get(key)) ?? []))
    const read = async (start: number, end: number) => new Uint8Array(bytes.subarray(start, end))
    await this.put(key, { sizeBytes, sha256: name, bytes: read })
  }

  async find(key: string): Promise<S3Object | undefined> {
    const request = { method: 'HEAD', key } as const
    const response = await this.#client.ask(request)
    if (response.status === 404) return undefined
    if (response.status !== 200) throw failure(request, response)
    return {
      key,
      sizeBytes: Number(response.headers.get('content-length')),
      changedAt: new Date(response.headers.get('last-modified') ?? ''),
      etag: response.headers.get('etag') ?? undefined,
    }
  }

  /** All the bytes, in order, a piece at a time; `undefined` where there is no such object. */
  async get(key: string): Promise<AsyncIterable<Uint8Array<ArrayBuffer>> | undefined> {
    return (await this.open(key))?.body
  }

  /** The same with how many bytes there are, of which few are fetched before they are read. */
  async open(key: string): Promise<OpenedObject | undefined> {
    const response = await this.#askRange(key, { start: 0, end: partBytes })
    if (response.status === 404) return undefined
    // Of an object without bytes there is no first one.
    if (response.status === 416) return { sizeBytes: 0, body: pieces([]) }
    const total = totalOf(response)
    const isWhole = response.status === 200 || total === response.bytes.length
    if (isWhole) return { sizeBytes: response.bytes.length, body: pieces([response.bytes]) }
    if (response.status !== 206 || !(total > partBytes) || response.bytes.length !== partBytes)
      throw failure({ method: 'GET', key }, response)
    return { sizeBytes: total, body: this.#inRanges(key, response.bytes, total) }
  }

  /** Part of an object that is there and has so many bytes. */
  async part(key: string, { sizeBytes, ...asked }: ObjectPart) {
    const { start, end } = asked
    const response = await this.#askRange(key, asked)
    const isRight =
      response.status === 206 &&
      response.bytes.length === end - start &&
      totalOf(response) === sizeBytes
    if (!isRight) throw failure({ method: 'GET', key }, response)
    return response.bytes
  }

  /** Throws where the bucket cannot be used as it is set up. */
  async check(): Promise<void> {
    const query = { 'list-type': '2', prefix: this.#client.prefix, 'max-keys': '1' }
    await this.#expect({ method: 'GET', key: undefined, query })
  }

  /** Every object whose key begins so, a thousand at a time. */
  async *list(start: string): AsyncIterable<S3Object> {
    for (let token: string | undefined, isFirst = true; isFirst || token !== undefined;) {
      isFirst = false
      const { bytes } = await this.#expect({
        method: 'GET',
        key: undefined,
        query: {
          'list-type': '2',
          prefix: `${this.#client.prefix}${start}`,
          ...(token === undefined ? {} : { 'continuation-token': token }),
        },
      })
      const page = parseListing(new TextDecoder().decode(bytes))
      for (const object of page.objects)
        yield { ...object, key: object.key.slice(this.#client.prefix.length) }
      token = page.next
    }
  }

  /** Not an error where there is none. */
  async remove(key: string): Promise<void> {
    await this.#expect({ method: 'DELETE', key }, [200, 204, 404])
  }

  async *#inRanges(key: string, first: Uint8Array<ArrayBuffer>, total: number) {
    yield first
    for (let start = partBytes; start < total; start += partBytes) {
      const end = Math.min(start + partBytes, total)
      const response = await this.#askRange(key, { start, end })
      if (response.status !== 206 || response.bytes.length !== end - start)
        throw failure({ method: 'GET', key }, response)
      yield response.bytes
    }
  }

  async #askRange(key: string, { start, end, signal }: AskedPart): Promise<S3Response> {
    const headers = { range: `bytes=${start}-${end - 1}` }
    return await this.#client.ask({ method: 'GET', key, headers, ...(signal && { signal }) })
  }

  async #expect(request: S3Request, statuses: readonly number[] = [200]): Promise<S3Response> {
    const { body } = request
    const bodySha256 = request.bodySha256 ?? (body && sha256(body))
    const response = await this.#client.ask({
      ...request,
      ...(bodySha256 === undefined ? {} : { bodySha256 }),
    })
    if (!statuses.includes(response.status)) throw failure(request, response)
    return response
  }
}

/** From `Content-Range: bytes 0-9/100`; not a number where it does not say. */
const totalOf = ({ headers }: S3Response): number =>
  Number(/\/(\d+)$/u.exec(headers.get('content-range') ?? '')?.[1])

const partsOf = (source: Source): readonly UploadedPart[] =>
  spansOf(source.sizeBytes, partBytes).map(({ start, end }) => ({
    kind: 'bytes',
    read: () => source.bytes(start, end),
  }))

const partsWithin = (object: CopiedObject, sizeBytes: number): readonly UploadedPart[] =>
  spansOf(sizeBytes, copiedPartBytes).map((span) => ({ kind: 'copy', of: { ...object, span } }))

const spansOf = (sizeBytes: number, stepBytes: number) =>
  Array.from({ length: Math.ceil(sizeBytes / stepBytes) }, (_, index) => ({
    start: index * stepBytes,
    end: Math.min((index + 1) * stepBytes, sizeBytes),
  }))

async function* pieces(all: readonly Uint8Array<ArrayBuffer>[]) {
  yield* all
}

interface Listing {
  readonly objects: readonly S3Object[]
  readonly next: string | undefined
}

/** A page of ListObjectsV2. */
function parseListing(text: string): Listing {
  const objects: S3Object[] = []
  let next: string | undefined
  let current: Record<string, string> = {}
  readElements(text, (name, value) => {
    if (name === 'Contents') {
      const { Key: key = '', Size: size = '', LastModified: changedAt = '', ETag: etag } = current
      objects.push({ key, sizeBytes: Number(size), changedAt: new Date(changedAt), etag })
      current = {}
    } else if (name === 'NextContinuationToken') next = value
    else current[name] = value
  })
  return { objects, next }
}
