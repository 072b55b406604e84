import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'

import { jpegOfScans } from '../fixtures/bombs.ts'
import { longestVideo } from '../fixtures/media/crafted-video.ts'
import { have } from '../support/needs.ts'
import { greaterMemoryOfTree } from '../support/process-tree.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'

const canRun = have('the memory of a service under hostile requests', {
  what: 'Linux',
  howToGetIt: 'what processes hold is read from /proc there',
  isThere: () => process.platform === 'linux',
})
const maxBytes = 512 * 2 ** 20
const atOnce = 8
const sampleMs = 20

/** Of all kinds, one after another, with what a process keeps of those before. */
const maxMixedBytes = 768 * 2 ** 20

/** A service of its own: what an earlier attack has left in memory is another question. */
async function withService(act: (service: ServiceProcess) => Promise<void>): Promise<void> {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: directory.path })
  await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: 'worst' }),
  })
  await act(service)
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
}

/** What a tenant may store, and what anybody may then ask for. */
interface Attack {
  readonly what: string
  readonly file: (number: number) => string
  readonly bytes: () => Promise<Uint8Array>
  /** What is put behind the bytes, so that no two files are one. */
  readonly mark?: (number: number) => string
  readonly ask: (path: string) => string
  /** Whether some of it is made: it is the most that is allowed. */
  readonly isMade?: boolean
}

const image = (query: string) => (path: string) => `/api/transform?url=/${path}&${query}`
const stream = (query: string) => (path: string) =>
  `/api/stream?path=${path.split('/').map(encodeURIComponent).join('/')}${query}`
const flat = (side: number, channels: 3 | 4) =>
  sharp({
    create: { width: side, height: side, channels, background: { r: 9, g: 99, b: 9, alpha: 0.5 } },
  })
const noise = (side: number) =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })

/** 200 pixels a side, and no two frames alike. */
async function movingGif(): Promise<Uint8Array> {
  const frames = Array.from({ length: 40 }, (_, red) =>
    sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: { r: 6 * red, g: 255 - 6 * red, b: 9 },
      },
    })
      .png()
      .toBuffer(),
  )
  return await sharp(await Promise.all(frames), { join: { animated: true } })
    .gif()
    .toBuffer()
}

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="6000" height="6000">${'<circle cx="3000" cy="3000" r="2900" fill="red" opacity=".1"/>'.repeat(50)}</svg>`
const longFolder = `${'é'.repeat(120)}/`.repeat(4)

const attacks: readonly Attack[] = [
  {
    what: 'stored playlists below long paths',
    file: (number) => `worst/v1/${longFolder}${number}.m3u8`,
    bytes: async () => Buffer.from(`#EXTM3U\n${'a\n'.repeat(200_000)}`),
    mark: (number) => `#${number}`,
    ask: stream(''),
  },
  {
    what: 'stored playlists as long as is allowed',
    file: (number) => `worst/v1/lists/${number}.m3u8`,
    bytes: async () => Buffer.from(`#EXTM3U\n${'segment.ts\n'.repeat(19_999)}`),
    mark: (number) => `#${number}`,
    ask: stream(''),
    isMade: true,
  },
  {
    what: 'videos of as many samples as are allowed',
    file: (number) => `worst/v1/films/${number}.mp4`,
    bytes: async () => (await longestVideo(299_000)).bytes(),
    ask: stream('&segment=0'),
    isMade: true,
  },
  {
    what: 'moving pictures, enlarged',
    file: (number) => `worst/v1/moving/${number}.gif`,
    bytes: movingGif,
    ask: image('w=2000&h=2000&format=webp'),
  },
  {
    what: 'moving pictures, as large as is allowed',
    file: (number) => `worst/v1/moving/${number}.gif`,
    bytes: movingGif,
    ask: image('w=990&h=990&format=webp'),
    isMade: true,
  },
  {
    what: 'JPEGs of thousands of scans',
    file: (number) => `worst/v1/scans/${number}.jpg`,
    bytes: () => jpegOfScans(20_000, 4000),
    ask: image('w=101'),
  },
  {
    what: 'progressive JPEGs, as large as is allowed',
    file: (number) => `worst/v1/progressive/${number}.jpg`,
    bytes: () => flat(7000, 3).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    ask: image('w=6300&format=webp'),
  },
  {
    what: 'WebPs, as large as is allowed',
    file: (number) => `worst/v1/webp/${number}.webp`,
    bytes: () => flat(7000, 4).webp({ lossless: true, effort: 0 }).toBuffer(),
    ask: image('w=6300&h=6300&format=png'),
  },
  {
    what: 'pictures that become large files',
    file: (number) => `worst/v1/noise/${number}.png`,
    bytes: () => noise(2800).png({ compressionLevel: 1 }).toBuffer(),
    ask: image('w=2799&format=png'),
    isMade: true,
  },
  {
    what: 'pictures blurred as strongly as is allowed',
    file: (number) => `worst/v1/blurred/${number}.png`,
    bytes: () => flat(1600, 4).png().toBuffer(),
    ask: image('w=4000&h=4000&fit=contain&format=png&blur=250'),
  },
  {
    what: 'drawings, as large as is allowed',
    file: (number) => `worst/v1/drawings/${number}.svg`,
    bytes: async () => Buffer.from(svg),
    mark: (number) => `<!--${number}-->`,
    ask: image('w=3400&format=webp'),
  },
]

/** One after another: what is attacked is the making, and bodies in flight are the storing. */
async function store(
  service: ServiceProcess,
  { file, bytes, mark }: Attack,
): Promise<readonly string[]> {
  const body = await bytes()
  const paths = Array.from({ length: atOnce }, (_, number) => file(number))
  for (const [number, path] of paths.entries()) {
    const response = await fetch(`${service.url}/api/storage/${encodeURI(path)}`, {
      method: 'PUT',
      headers: access,
      body: Buffer.concat([body, Buffer.from(mark?.(number) ?? String.fromCodePoint(number))]),
    })
    expect(response.status).toBe(201)
  }
  return paths
}

/** The most that the service and its children held while all of it was asked for at once, and what came. */
async function ask(service: ServiceProcess, urls: readonly string[]) {
  let peak = 0
  const timer = setInterval(() => {
    peak = greaterMemoryOfTree(service.pid, peak)
  }, sampleMs)
  const statuses = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(service.url + url)
      await response.bytes()
      return response.status
    }),
  )
  clearInterval(timer)
  for (const status of statuses) expect([200, 422, 429, 503]).toContain(status)
  return { peak, statuses }
}

for (const attack of attacks)
  test.skipIf(!canRun)(
    `eight requests at once for ${attack.what} stay below 512 MB`,
    () =>
      withService(async (service) => {
        const paths = await store(service, attack)
        const { peak, statuses } = await ask(service, paths.map(attack.ask))
        expect(peak).toBeLessThan(maxBytes)
        if (attack.isMade === true) expect(statuses).toContain(200)
      }),
    120_000,
  )

test.skipIf(!canRun)(
  'eight requests at once, each of another kind, stay far below 1 GB',
  () =>
    withService(async (service) => {
      for (const attack of attacks) await store(service, attack)
      const kinds = attacks.map((attack) => `${attack.ask(attack.file(0))}&anim=1`)

      for (let first = 0; first + atOnce <= kinds.length; first += 1) {
        const { peak } = await ask(service, kinds.slice(first, first + atOnce))
        expect(peak).toBeLessThan(maxMixedBytes)
      }
    }),
  120_000,
)
