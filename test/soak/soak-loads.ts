import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'

import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { git, runGit } from '../support/git-client.ts'
import { mixedRequest, publishForLoad } from '../support/mixed-load.ts'
import type { Random } from '../support/random.ts'
import { access, account, testKeys } from '../support/service-process.ts'
import type { Paced } from './paced.ts'

export interface SoakWorld {
  /** Where the service is now: it is started anew on another port. */
  readonly url: () => string
  readonly random: Random
  /** For the clone that is pushed from. */
  readonly directory: string
  readonly images: readonly Uint8Array<ArrayBuffer>[]
}

const texts = 100
const contents = 20
const film = 'load/v1/films/film.mp4'
const slowReaderMs = 15_000

/** Paths and contents are of a fixed set: what is stored stays as much, however often it is written. */
export async function publishForSoak(
  url: string,
  { hook, directory }: { readonly hook: string; readonly directory: string },
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  await publishForLoad(url)
  await made(url, '/api/core/zones', { Name: 'pushed' })
  await made(url, '/api/webhooks', { url: hook, events: ['asset.created', 'asset.updated'] })
  await put(url, film, await sampleVideo('regular'))
  await put(url, 'pushed/v1/texts/first.txt', 'first')
  const remote = new URL('/git/pushed.git', url)
  remote.username = 'x'
  remote.password = testKeys.ACCESS_KEY
  await runGit(directory, 'clone', '-q', remote.href, 'clone')
  return await Promise.all(
    Array.from({ length: 6 }, async (_, seed) => {
      const image = painted({ width: 320, height: 240 }, photoPainter(seed))
      return new Uint8Array(await image.jpeg().toBuffer())
    }),
  )
}

/** Some fifty requests a second in all: a load to live with, not one to fall under. */
export const loadsOf = (world: SoakWorld): readonly Paced[] => [
  ...Array.from({ length: 4 }, (_, reader) => ({
    name: reader === 0 ? 'reads' : `reads ${reader}`,
    everyMs: 100,
    run: async () => await mixedRequest(world.url(), world.random),
  })),
  { name: 'writes', everyMs: 500, run: () => write(world) },
  { name: 'batches', everyMs: 5_000, run: () => writeBatch(world) },
  { name: 'uploads', everyMs: 6_000, run: () => upload(world) },
  { name: 'transforms', everyMs: 500, run: () => transform(world) },
  { name: 'streams', everyMs: 2_000, run: () => watch(world) },
  { name: 'searches', everyMs: 2_000, run: () => search(world) },
  { name: 'pushes', everyMs: 15_000, run: () => push(world) },
  { name: 'slow readers', everyMs: 5_000, run: () => readSlowly(world) },
]

/** Commits that each of these makes. */
export const commitsByLoad: ReadonlyMap<string, number> = new Map([
  ['writes', 1],
  ['batches', 1],
  ['uploads', 1],
  ['pushes', 2],
])

const textPath = (random: Random) => `load/v1/texts/${random.integer(1, texts)}.txt`
const textOf = (random: Random) =>
  `The round logo of company ${random.integer(1, contents)}. `.repeat(40)

async function write({ url, random, images }: SoakWorld): Promise<void> {
  const kind = random.integer(0, 19)
  const image = images[random.integer(0, images.length - 1)]
  if (kind === 0 && image !== undefined)
    return await put(url(), `load/v1/photos/${random.integer(1, 4)}.jpg`, image)
  const path = textPath(random)
  if (kind > 2) return await put(url(), path, textOf(random))
  const init = { method: 'DELETE', headers: access }
  await expectStatus(await fetch(`${url()}/api/storage/${path}`, init), [200, 204, 404])
}

async function writeBatch({ url, random }: SoakWorld): Promise<void> {
  const paths = new Set(Array.from({ length: 10 }, () => textPath(random)))
  const files = [...paths].map((path) => ({ path, content: textOf(random), encoding: 'utf-8' }))
  const init = { method: 'POST', headers: access, body: JSON.stringify({ files }) }
  await expectStatus(await fetch(`${url()}/api/storage/batch`, init), [201])
}

async function upload({ url, random }: SoakWorld): Promise<void> {
  const body = new Uint8Array(200_000).fill(random.integer(1, contents))
  const path = `load/v1/uploads/${random.integer(1, 5)}.bin`
  const init = { method: 'POST', headers: access, body }
  await expectStatus(await fetch(`${url()}/api/uploads?path=${path}`, init), [201])
}

async function transform({ url, random }: SoakWorld): Promise<void> {
  const options = `w=${random.integer(1, 30) * 8}&format=${random.pick(['webp', 'jpeg', 'avif'])}`
  const path = `load/v1/photos/${random.integer(1, 4)}.jpg`
  await expectStatus(await fetch(`${url()}/api/transform?url=${path}&${options}`), [200, 404])
}

/** A playlist, one that it names, and some of what that names. */
async function watch({ url, random }: SoakWorld): Promise<void> {
  let next = new URL(`/api/stream?path=${film}`, url())
  for (let step = 0; step < 3; step += 1) {
    const response = await fetch(next)
    const isPlaylist = (response.headers.get('Content-Type') ?? '').includes('mpegurl')
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${response.status} of ${next.pathname}`)
    const [line, ...others] = text.split('\n').filter((each) => each !== '' && each[0] !== '#')
    if (!isPlaylist || line === undefined) return
    next = new URL(random.pick([line, ...others]), next)
  }
}

async function search({ url, random }: SoakWorld): Promise<void> {
  const query = random.pick(['round logo', 'company 7', 'text', 'a blue photograph'])
  const target = `${url()}/api/search?q=${encodeURIComponent(query)}`
  await expectStatus(await fetch(target, { headers: access }), [200, 429])
}

async function push({ url, random, directory }: SoakWorld): Promise<void> {
  const clone = join(directory, 'clone')
  const remote = new URL('/git/pushed.git', url())
  remote.username = 'x'
  remote.password = testKeys.ACCESS_KEY
  await runGit(clone, 'pull', '-q', '--rebase', remote.href, 'main')
  await writeFile(join(clone, 'v1/texts', `${random.integer(1, 10)}.txt`), textOf(random))
  await runGit(clone, 'add', '-A')
  // The same may have been there.
  await git(clone, ['commit', '-q', '--allow-empty', '-m', 'A push of the soak'])
  await runGit(clone, 'push', '-q', remote.href, 'HEAD:main')
}

/** Asks for what is large, takes a little, and leaves. */
async function readSlowly({ url }: SoakWorld): Promise<void> {
  const { port, hostname } = new URL(url())
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(port), hostname, () => {
    socket.write(`GET /load/v1/icons/large.bin HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
    socket.once('data', () => socket.pause())
  })
  socket.on('error', () => undefined)
  const leaving = setTimeout(() => socket.destroy(), slowReaderMs)
  socket.on('close', () => resolve())
  await promise
  clearTimeout(leaving)
}

async function put(url: string, path: string, body: BodyInit): Promise<void> {
  const init = { method: 'PUT', headers: access, body }
  await expectStatus(await fetch(`${url}/api/storage/${path}`, init), [200, 201])
}

async function made(url: string, path: string, body: object): Promise<void> {
  const init = { method: 'POST', headers: account, body: JSON.stringify(body) }
  await expectStatus(await fetch(url + path, init), [201])
}

async function expectStatus(response: Response, statuses: readonly number[]): Promise<void> {
  const text = await response.text()
  if (!statuses.includes(response.status))
    throw new Error(
      `${response.status} of ${new URL(response.url).pathname}: ${text.slice(0, 300)}`,
    )
}
