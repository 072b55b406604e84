import { expect } from 'bun:test'

import type { Random } from './random.ts'
import { access } from './service-process.ts'
import { openTusUpload, sendTusPiece, tus } from './tus-pieces.ts'

/** An upload as its client knows it. */
interface KnownUpload {
  readonly url: string
  readonly path: string
  readonly content: Uint8Array<ArrayBuffer>
  /** How many bytes the service has said it has. */
  acknowledged: number
}

/** Sends files by tus, one after another, and remembers what was acknowledged. */
export interface UploadClient {
  acknowledgedPieces: number
  finishedFiles: number
  /** Sends until the service is gone. */
  work(serviceUrl: string): Promise<void>
  /** Holds the service to all that was acknowledged, and to showing files whole or not at all. */
  verify(serviceUrl: string): Promise<void>
}

export function createUploadClient(name: string, random: Random): UploadClient {
  const finished = new Map<string, Uint8Array>()
  let fileCount = 0
  let current: KnownUpload | undefined
  /** Asked for, and not answered: may be there or not. */
  let unanswered: { readonly path: string; readonly content: Uint8Array } | undefined

  async function begin(serviceUrl: string): Promise<KnownUpload> {
    fileCount += 1
    const path = `uploads/v1/${name}/${fileCount}.bin`
    const content = contentOf(path, sizeOf(random))
    const url = await openTusUpload(serviceUrl, path, content.length)
    return { url, path, content, acknowledged: 0 }
  }

  async function sendPiece(upload: KnownUpload, serviceUrl: string): Promise<void> {
    const { content, acknowledged: offset } = upload
    const end = Math.min(content.length, offset + random.integer(1, 3_000_000))
    if (end === content.length) unanswered = upload
    await sendTusPiece(new URL(upload.url, serviceUrl), content, { offset, end })
    upload.acknowledged = end
    client.acknowledgedPieces += 1
    if (end === content.length) finish(upload)
  }

  function finish({ path, content }: KnownUpload): void {
    finished.set(path, content)
    client.finishedFiles += 1
    current = undefined
    unanswered = undefined
  }

  async function verifyCurrent(serviceUrl: string): Promise<void> {
    if (current === undefined) return
    const response = await fetch(new URL(current.url, serviceUrl), { method: 'HEAD', headers: tus })
    expect(response.status).toBe(200)
    const offset = Number(response.headers.get('upload-offset'))
    expect(offset).toBeGreaterThanOrEqual(current.acknowledged)
    current.acknowledged = offset
    if (offset === current.content.length) finish(current)
  }

  const client: UploadClient = {
    acknowledgedPieces: 0,
    finishedFiles: 0,
    async work(serviceUrl) {
      for (;;)
        try {
          current ??= await begin(serviceUrl)
          await sendPiece(current, serviceUrl)
        } catch (error) {
          if (isAssertion(error)) throw error
          return
        }
    },
    async verify(serviceUrl) {
      if (unanswered !== undefined) {
        const seen = await stored(unanswered.path, serviceUrl)
        if (seen !== undefined) expectSame(seen, unanswered.content)
      } else if (current !== undefined) {
        expect(await stored(current.path, serviceUrl)).toBeUndefined()
      }
      await verifyCurrent(serviceUrl)
      for (const [path, content] of [...finished].slice(-3))
        expectSame(await stored(path, serviceUrl), content)
    },
  }
  return client
}

/** Mostly small, so that many uploads come to their end; now and then what git has a pointer to. */
function sizeOf(random: Random): number {
  const [least, most] = random.integer(0, 20) === 0 ? [25_000_000, 30_000_000] : [0, 6_000_000]
  return random.integer(least, most)
}

/** Bytes that say whose they are and where they belong. */
function contentOf(path: string, sizeBytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(sizeBytes)
  content.fill(Number(Bun.hash(path) % 251n))
  const view = new DataView(content.buffer)
  for (let place = 0; place + 4 <= sizeBytes; place += 1024) view.setUint32(place, place)
  return content
}

async function stored(path: string, serviceUrl: string): Promise<Uint8Array | undefined> {
  const response = await fetch(`${serviceUrl}/api/storage/${path}`, { headers: access })
  if (response.status === 404) return void (await response.arrayBuffer())
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

function expectSame(seen: Uint8Array | undefined, wanted: Uint8Array): void {
  expect(seen?.length).toBe(wanted.length)
  expect(Buffer.compare(seen ?? new Uint8Array(), wanted)).toBe(0)
}

/** The connection goes when the service is killed; what the service says wrongly is another thing. */
const isAssertion = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('expect(')
