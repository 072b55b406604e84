import { expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'

const limitMs = 120_000
const path = 'acme/v1/photos/photo.jpg'

/** Large enough for smaller copies, and nowhere the same. */
async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const [width, height] = [1800, 1200]
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)]
    pixels[at] = ((x * x) / 5000 + (y * 255) / height + (at % 3) * 60) & 255
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  return new Uint8Array(await image.jpeg({ quality: 90 }).toBuffer())
}

async function metadata(service: ServiceProcess, change?: unknown) {
  const response = await fetch(`${service.url}/api/assets/metadata?path=${path}`, {
    headers: { ...access, 'Content-Type': 'application/json' },
    ...(change !== undefined && { method: 'PATCH', body: JSON.stringify(change) }),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as { readonly Thumbhash: string | null }
}

/** Cut to the subject, from the original and from each of the smaller copies. */
const queries = ['w=1500&h=500', 'w=600&h=1000', 'w=300&h=150', 'w=80&h=160'].flatMap((size) =>
  ['png', 'webp'].map((format) => `${size}&gravity=auto&format=${format}`),
)

async function cut(base: string, query: string) {
  const response = await fetch(`${base}/api/transform?url=/${path}&${query}`)
  const bytes = await response.bytes()
  const { status, headers } = response
  return { status, digest: Bun.hash(bytes), notes: headers.get('image-notes') }
}

/** As a viewer of the IIIF Image API asks for it. */
async function tileOf(base: string) {
  const tile = `${encodeURIComponent(path)}/512,0,512,512/256,/0/default.png`
  const response = await fetch(`${base}/iiif/3/${tile}`)
  return { status: response.status, digest: Bun.hash(await response.bytes()) }
}

/** One after another: on a busy machine so many at once would be told to come again. */
async function cutsOf(base: string, which: readonly string[] = queries) {
  const cuts = []
  for (const query of which) cuts.push(await cut(base, query))
  return cuts
}

test(
  'an edge cuts an image to the very bytes that the origin does, wherever its owner says the subject is',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { IDLE_WORK: 'none' },
    })
    const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
    await fetch(`${service.url}/api/core/zones`, zone)
    const put = { method: 'PUT', headers: access, body: await photo() }
    expect((await fetch(`${service.url}/api/storage/clients/${path}`, put)).status).toBe(201)
    await until(async () => (await metadata(service)).Thumbhash !== null)
    const token = await edgeTokenOf(service.url)
    const edgeIn = (name: string, origin: string): Promise<EdgeProcess> =>
      startEdge({ origin, token, name, directory: join(directory.path, name) })
    await using near = await edgeIn('near', service.url)
    await using behind = await edgeIn('behind', near.url)

    const found = await cutsOf(service.url)
    expect(found.every(({ status }) => status === 200)).toBe(true)
    expect(await cutsOf(near.url)).toEqual(found)
    expect(await cutsOf(behind.url)).toEqual(found)
    const viewed = await tileOf(service.url)
    expect(viewed.status).toBe(200)
    expect(await tileOf(near.url)).toEqual(viewed)
    let former = found
    for (const FocalPoint of [{ x: 0.05, y: 0.1 }, { x: 0.95, y: 0.9 }, null]) {
      await metadata(service, { FocalPoint })
      const now = await cutsOf(service.url)
      expect(now.map(({ digest }) => digest)).not.toEqual(former.map(({ digest }) => digest))
      const wanted = FocalPoint === null ? 'focus-saliency' : 'focus-owner'
      expect(now.every(({ notes }) => notes === wanted)).toBe(true)
      for (const { url } of [near, behind]) {
        const [query = '', ...rest] = queries
        // It is told, not asked for: until then the edge serves what it had.
        await until(async () => (await cut(url, query)).digest === now[0]?.digest)
        expect(await cutsOf(url, rest)).toEqual(now.slice(1))
      }
      former = now
    }
    expect(former).toEqual(found)
  },
  limitMs,
)

test(
  'what edges ask about images is for edges alone, and nonsense is refused',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await startService({ dataDirectory: join(directory.path, 'origin') })
    const token = await edgeTokenOf(service.url)
    const ask = async (what: string, headers: Record<string, string>) => {
      const response = await fetch(`${service.url}/api/edges/${what}`, { headers })
      await response.arrayBuffer()
      return response.status
    }
    const own = { Authorization: `Bearer ${token}` }
    for (const what of ['facts', 'copies']) {
      expect(await ask(`${what}/${'a'.repeat(64)}`, own)).toBe(404)
      expect(await ask(`${what}/${'a'.repeat(64)}`, access)).toBe(403)
      expect(await ask(`${what}/${'A'.repeat(64)}`, own)).toBe(400)
      expect(await ask(`${what}/..%2f..%2fkeys.json`, own)).toBe(400)
    }
  },
  limitMs,
)
