import { painted, quarters } from '../fixtures/sample-images.ts'
import type { Random } from './random.ts'
import { access, account } from './service-process.ts'

const largeBytes = 4_000_000
const smallAssets = 200

/** Puts there what {@link mixedRequest} asks for. */
export async function publishForLoad(url: string): Promise<void> {
  const zone = { method: 'POST', headers: account, body: '{"Name":"load"}' }
  await consume(await fetch(`${url}/api/core/zones`, zone))
  const put = async (path: string, body: BodyInit) =>
    await consume(
      await fetch(`${url}/api/storage/load/v1/${path}`, { method: 'PUT', headers: access, body }),
    )
  const shape = { width: 160, height: 120 }
  const image = await painted(shape, quarters(shape)).png().toBuffer()
  await put('icons/picture.png', new Uint8Array(image))
  await put('icons/large.bin', new Uint8Array(largeBytes).fill(7))
  for (let made = 0; made < smallAssets; made += 1)
    await put(`icons/${made}.css`, `p { margin: ${made}px }`.repeat(made + 1))
}

const ranges = [
  'bytes=0-99',
  'bytes=-5',
  'bytes=5-2',
  'bytes=0-0,10-20,-9',
  'bytes=99999999-',
] as const
const accepts = ['image/avif,*/*', 'image/webp,*/*', '*/*', 'image/png'] as const
const codings = ['br', 'gzip, zstd', 'identity', '*;q=0', ''] as const

/** One request out of all kinds that an edge gets, now and then broken off half-way. */
export async function mixedRequest(url: string, random: Random): Promise<void> {
  const kind = random.integer(0, 9)
  if (kind === 0) return await breakOff(`${url}/load/v1/icons/large.bin?${random.integer(0, 99)}`)
  const headers = {
    'Accept-Encoding': random.pick(codings),
    Accept: random.pick(accepts),
    ...(random.integer(0, 2) === 0 && { Range: random.pick(ranges) }),
    ...(random.integer(0, 3) === 0 && { 'If-None-Match': `"${random.integer(0, 9)}", *` }),
    'X-Forwarded-For': `203.0.113.${random.integer(0, 255)}`,
  }
  const method = random.integer(0, 9) === 0 ? 'HEAD' : 'GET'
  await consume(await fetch(url + pathOf(kind, random), { method, headers, decompress: false }))
}

function pathOf(kind: number, random: Random): string {
  const any = random.integer(0, 1_000_000)
  if (kind === 1) return `/load/v1/icons/large.bin?${any}`
  if (kind === 2) return `/load/v1/none/${any}`
  if (kind === 3) return `/${any}/${any}?x=${any}`
  if (kind === 4) return `/api/none/${any}`
  if (kind === 5) return `/api/transform?url=load/v1/icons/picture.png&w=${random.integer(1, 20)}`
  if (kind === 6) return `/api/transform?url=load/v1/icons/none-${any}.png`
  return `/load/v1/icons/${random.integer(0, smallAssets - 1)}.css?x=${any}`
}

async function breakOff(url: string): Promise<void> {
  const leaving = new AbortController()
  try {
    const response = await fetch(url, { signal: leaving.signal })
    await response.body?.getReader().read()
  } finally {
    leaving.abort()
  }
}

const consume = async (response: Response): Promise<void> => void (await response.arrayBuffer())
