/**
 * Images that come in by `sedge sync`, until width, height and ThumbHash of each are known, and until everything is.
 * Meanwhile a client asks for a small file and for a page of assets, as it did while nothing was to do. `IMAGES` says
 * how many there are; they are painted, or made of those in `SEDGE_BENCH_IMAGES`.
 */
import { Database } from 'bun:sqlite'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

import { sedge } from '../test/support/sedge-command.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, median, report } from './harness.ts'
import { findImages } from './images/sample-images.ts'
import { cpuMsOfTree, cpuSeconds } from './process-usage.ts'

const imageCount = Number(process.env['IMAGES'] ?? 400)
const askEveryMs = 50
const pollEveryMs = 250
const idleMs = Number(process.env['IDLE_MS'] ?? 10_000)
const maxMinutes = 12

interface Made {
  readonly name: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What cameras and people who design put on the web; each in so many of a hundred. */
const kinds = [
  { extension: 'jpg', width: 4000, quality: 75 },
  { extension: 'jpg', width: 3000, quality: 80 },
  { extension: 'jpg', width: 2400, quality: 82 },
  { extension: 'jpg', width: 1920, quality: 85 },
  { extension: 'jpg', width: 1600, quality: 85 },
  { extension: 'jpg', width: 1200, quality: 85 },
  { extension: 'webp', width: 2400, quality: 80 },
  { extension: 'webp', width: 1600, quality: 80 },
  { extension: 'png', width: 800, quality: 100 },
  { extension: 'png', width: 640, quality: 100 },
] as const

/** Each other bytes, by what stands behind the image, where nobody reads. */
async function* imagesFrom(directory: string): AsyncGenerator<Made> {
  const sources = await findImages(directory)
  const made = await Promise.all(
    sources.slice(0, 2 * kinds.length).map(async (source, place) => {
      const { extension, width, quality } = kinds[place % kinds.length] ?? kinds[0]
      const image = sharp(source).toColourspace('srgb').resize({ width })
      const bytes = await (
        extension === 'png'
          ? image.png()
          : extension === 'webp'
            ? image.webp({ quality })
            : image.jpeg({ quality })
      ).toBuffer()
      return { extension, bytes }
    }),
  )
  for (let place = 0; place < imageCount; place += 1) {
    const { extension = 'jpg', bytes = Buffer.alloc(0) } = made[place % made.length] ?? {}
    const behind = Buffer.from(`image ${place}`)
    yield { name: `${place}.${extension}`, bytes: Buffer.concat([bytes, behind]) }
  }
}

interface Asked {
  readonly hotMs: number[]
  readonly pageMs: number[]
}

async function timed(url: string, into: number[]): Promise<void> {
  const start = performance.now()
  const response = await fetch(url, { headers: access })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} was answered ${response.status}`)
  into.push(performance.now() - start)
}

/** Asks for a small file and a page, again and again, until `isOver`. */
async function ask(url: string, isOver: () => boolean): Promise<Asked> {
  const asked: Asked = { hotMs: [], pageMs: [] }
  while (!isOver()) {
    await timed(`${url}/bench/v1/texts/-10.txt`, asked.hotMs)
    await timed(`${url}/api/assets?per_page=20`, asked.pageMs)
    await Bun.sleep(askEveryMs)
  }
  return asked
}

const secondsSince = (start: number): number => (performance.now() - start) / 1000

/** Until all that a page needs of an image is known. */
async function untilShown(url: string, name: string): Promise<void> {
  const endsAt = performance.now() + maxMinutes * 60_000
  for (;;) {
    const path = `bench/v1/images/${name}`
    const response = await fetch(`${url}/api/assets/metadata?path=${path}`, { headers: access })
    const known = (await response.json()) as Readonly<Record<string, unknown>>
    if (['Width', 'Height', 'Thumbhash'].every((member) => known[member] !== null)) return
    if (performance.now() > endsAt) throw new Error(`${name} is not known in ${maxMinutes} min`)
    await Bun.sleep(pollEveryMs)
  }
}

/** Until every pixel of so many images has been looked at. */
async function untilAnalysed(dataDirectory: string, count: number): Promise<void> {
  const endsAt = performance.now() + maxMinutes * 60_000
  using database = new Database(join(dataDirectory, 'sedge.db'), { readonly: true })
  const analysed = database.query<{ readonly count: number }, []>(
    'select count(*) as count from media_facts where analysis is not null',
  )
  while ((analysed.get()?.count ?? 0) < count) {
    if (performance.now() > endsAt) throw new Error(`not analysed in ${maxMinutes} min`)
    await Bun.sleep(200)
  }
}

await using directory = await temporaryDirectory()
const dataDirectory = join(directory.path, 'data')
const folder = join(directory.path, 'images')
const painted = join(directory.path, 'painted')
for (const each of [folder, painted]) await mkdir(each)
const names: string[] = []
let sizeBytes = 0
for await (const { name, bytes } of imagesFrom(painted)) {
  await Bun.write(join(folder, name), bytes)
  names.push(name)
  sizeBytes += bytes.length
}

await using service = await startService({ dataDirectory, environment: asInProduction })
const { url, pid } = service
await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body: '{"Name":"bench"}' })
const put = { method: 'PUT', headers: access, body: 'x'.repeat(10_000) }
// Listed first, before and after.
for (let place = 10; place < 30; place += 1)
  await fetch(`${url}/api/storage/bench/v1/texts/-${place}.txt`, put)

async function askFor(ms: number): Promise<Asked> {
  const endsAt = performance.now() + ms
  return await ask(url, () => performance.now() > endsAt)
}
// What is asked for the first time takes longer.
await askFor(idleMs)
const idleBefore = await askFor(idleMs)

const cpuNow = async () => ({ all: cpuMsOfTree(pid), own: (await cpuSeconds(pid)) * 1000 })
const before = await cpuNow()
const start = performance.now()
const environment = { XDG_CONFIG_HOME: directory.path, SEDGE_URL: url }
const { out, error, exitCode } = await sedge(['sync', folder, 'bench/v1/images'], environment)
if (exitCode !== 0) throw new Error(`sync failed: ${out}${error}`)
const storedSeconds = secondsSince(start)

let isOver = false
const asking = ask(url, () => isOver)
// They are looked at in the order in which they came, so that hardly any is waited for after the last.
for (const name of names.toReversed()) await untilShown(url, name)
const shownSeconds = secondsSince(start)
const shown = await cpuNow()
isOver = true
const busy = await asking
await untilAnalysed(dataDirectory, imageCount)
const wholeSeconds = secondsSince(start)
const whole = await cpuNow()
await Bun.sleep(2000)
const idleAfter = await askFor(idleMs)

const each = (seconds: number): string => `${((seconds * 1000) / imageCount).toFixed(0)} ms each`
const cpuOf = (after: typeof before, since = before): string => {
  const own = (after.own - since.own) / imageCount
  const children = (after.all - since.all) / imageCount - own
  return `${(own + children).toFixed(0)} ms, of which ${own.toFixed(1)} in the service itself`
}
const slower = (of: (asked: Asked) => readonly number[]): string => {
  const all = [idleBefore, busy, idleAfter].map((asked) => median(of(asked)))
  const [first = 0, meanwhile = 0, last = 0] = all
  const ratio = meanwhile / ((first + last) / 2)
  return `${ratio.toFixed(2)}x (${all.map((ms) => ms.toFixed(2)).join(' / ')} ms)`
}
const inMinutes = (seconds: number): string => ((seconds / imageCount) * (10_000 / 60)).toFixed(1)

await report('image-import', [
  {
    what: `${imageCount} images of ${(sizeBytes / imageCount / 1000).toFixed(0)} KB on average, until they are stored`,
    figure: '—',
    measured: `${storedSeconds.toFixed(1)} s`,
  },
  {
    what: 'from the first byte on until width, height and ThumbHash of all are known',
    figure: '≤ 60 ms each (10,000 in 10 min)',
    measured: `${each(shownSeconds)}, ${inMinutes(shownSeconds)} min for 10,000`,
  },
  {
    what: 'processor time for each until then, children included',
    figure: '—',
    measured: cpuOf(shown),
  },
  {
    what: 'a hot 10 KB meanwhile, p50 against idle (before / meanwhile / after)',
    figure: '≤ 1.2x',
    measured: slower(({ hotMs }) => hotMs),
  },
  {
    what: 'a page of 20 assets meanwhile, p50 against idle (before / meanwhile / after)',
    figure: '≤ 1.2x',
    measured: slower(({ pageMs }) => pageMs),
  },
  {
    what: 'until every pixel of all has been looked at',
    figure: '—',
    measured: `${each(wholeSeconds)}, ${inMinutes(wholeSeconds)} min for 10,000`,
  },
  {
    what: 'processor time for each until then, children included',
    figure: '—',
    measured: cpuOf(whole),
  },
])
