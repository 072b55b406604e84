/**
 * 100 requests over HTTP for variants that nobody has asked for, of ten photographs: the processor time of
 * all processes of the service against imgproxy's, at equal structural similarity, and the bytes.
 *
 *   SEDGE_BENCH_IMAGES=<photographs> SEDGE_BENCH_IMGPROXY=<imgproxy, linked to libvips> npx bun bench/mix-against-imgproxy.ts
 *
 * imgproxy 4 is built from its source with Go, with CGO_CFLAGS of `@img/sharp-libvips-dev` and CGO_LDFLAGS of
 * `node_modules/@img/sharp-libvips-*`, so that both have the same libvips. Without it libvips by itself with
 * imgproxy's settings takes its place; that needs a C compiler. Linux alone.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

import { createZone, uploadLarge } from '../test/support/large-video.ts'
import { startService, temporaryDirectory } from '../test/support/service-process.ts'
import { asInProduction, compare, type Contender, report, type Row } from './harness.ts'
import {
  type Format,
  formats,
  type MixPeer,
  type MixRequest,
  openImgproxy,
  openStandIn,
} from './images/mix-peers.ts'
import { ssim } from './images/ssim.ts'
import { cpuMsOfTree } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const clients = 4
const photographCount = 10
const widths = [160, 240, 320, 400, 480, 640, 800, 960, 1080, 1200] as const
/** Of the ten requests for each photograph. */
const formatsOfTen: readonly Format[] = 'webp avif webp jpeg webp avif webp jpeg webp avif'
  .split(' ')
  .map((each) => each as Format)
const qualities = [72, 76, 80, 84, 88] as const
/** Each round asks for other widths than all before it. */
let firstRound = 0

interface Photograph {
  readonly name: string
  readonly width: number
}

const photographsAt = process.env['SEDGE_BENCH_IMAGES']
if (photographsAt === undefined) throw new Error('SEDGE_BENCH_IMAGES names no directory')
const photographs = await findPhotographs(photographsAt)
await using directory = await temporaryDirectory()
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: { ...asInProduction, IDLE_WORK: 'none', TRANSFORMS_PER_MINUTE: '1000000' },
})
await createZone(service.url, 'bench')
const uploadMs = await measureUpload()
const program = process.env['SEDGE_BENCH_IMGPROXY']
await using peer = await (program === undefined
  ? openStandIn(photographsAt, directory.path)
  : openImgproxy(program, photographsAt))
const ours: MixPeer & { qualityOf: Readonly<Record<Format, number>> } = {
  name: 'sedge',
  qualityOf: { webp: 80, avif: 80, jpeg: 80 },
  cpuMs: () => cpuMsOfTree(service.pid),
  ask: (request) => askOurs(request, ours.qualityOf[request.format]),
  async [Symbol.asyncDispose]() {},
}
await report('mix-against-imgproxy', [
  ...(await measureMix('at the default quality')),
  ...(await measureAtEqualSimilarity()),
  {
    what: 'looking at a photograph when it is stored, all that is done with it, once',
    figure: '',
    measured: `${(uploadMs / photographs.length).toFixed(0)} ms of a processor`,
  },
])

async function findPhotographs(from: string): Promise<readonly Photograph[]> {
  const found: (Photograph & { readonly pixels: number })[] = []
  for (const name of readdirSync(from)) {
    const header = await sharp(join(from, name))
      .metadata()
      .catch(() => undefined)
    if (header === undefined || header.hasAlpha || (header.pages ?? 1) > 1) continue
    if (header.format !== 'jpeg' && header.format !== 'webp') continue
    if (
      !(await sharp(join(from, name), { failOn: 'warning' })
        .stats()
        .catch(() => false))
    )
      continue
    const { width, height } = header.autoOrient
    found.push({ name, width, pixels: width * height })
  }
  return found.toSorted((a, b) => b.pixels - a.pixels).slice(0, photographCount)
}

async function measureUpload(): Promise<number> {
  await settled()
  const before = cpuMsOfTree(service.pid)
  for (const { name } of photographs)
    await uploadLarge(service.url, pathOf(name), join(photographsAt ?? '', name))
  await settled()
  return cpuMsOfTree(service.pid) - before
}

/** What was begun has to be over. */
async function settled(): Promise<void> {
  for (let before = -1; before < cpuMsOfTree(service.pid) - 20;) {
    before = cpuMsOfTree(service.pid)
    await Bun.sleep(1500)
  }
}

function pathOf(name: string): string {
  return `bench/v1/banners/${name.replaceAll('_', '-').toLowerCase()}`
}

async function askOurs(request: MixRequest, quality: number): Promise<Uint8Array> {
  const { name, width, format } = request
  const query = new URLSearchParams({
    url: `/${pathOf(name)}`,
    w: String(width),
    format,
    ...(quality !== 80 && { q: String(quality) }),
  })
  const response = await fetch(`${service.url}/api/transform?${query.toString()}`)
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`)
  return await response.bytes()
}

/** Every round has widths of its own, so that nothing of it has been made before. */
function requestsOf(round: number): readonly MixRequest[] {
  return widths.flatMap((width, place) =>
    photographs.map((photograph, index) => ({
      name: photograph.name,
      width: Math.min(width, photograph.width - 20) - round,
      format: formatsOfTen[(place + index) % formatsOfTen.length] ?? 'webp',
    })),
  )
}

async function askAll(peerAsked: MixPeer, requests: readonly MixRequest[]) {
  const answers: Uint8Array[] = []
  let next = 0
  const client = async (): Promise<void> => {
    for (let at = next++; at < requests.length; at = next++) {
      const request = requests[at]
      if (request !== undefined) answers[at] = await peerAsked.ask(request)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return answers
}

interface Judged {
  readonly bytes: number
  readonly similarity: number
}

/** A resize of the whole image, with nothing lost after it, to the size that the answer has. */
async function similarityOf({ name }: MixRequest, answer: Uint8Array): Promise<number> {
  const { width, height } = await sharp(answer).metadata()
  const reference = await sharp(join(photographsAt ?? '', name), { autoOrient: true })
    .toColourspace('srgb')
    .resize({ width, height, fit: 'fill', fastShrinkOnLoad: false })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return await ssim(reference, answer)
}

async function judge(
  requests: readonly MixRequest[],
  answers: readonly Uint8Array[],
): Promise<Judged> {
  let [bytes, similarity] = [0, 0]
  for (const [at, request] of requests.entries()) {
    const answer = answers[at] ?? new Uint8Array()
    bytes += answer.length / requests.length
    similarity += (await similarityOf(request, answer)) / requests.length
  }
  return { bytes, similarity }
}

async function measureMix(how: string): Promise<Row[]> {
  const lastAnswers = new Map<string, Judged>()
  const contender = (each: MixPeer): Contender => ({
    name: each.name,
    async run(round) {
      const requests = requestsOf(firstRound + round)
      const before = each.cpuMs()
      const answers = await askAll(each, requests)
      const used = (each.cpuMs() - before) / requests.length
      if (round === rounds - 1) lastAnswers.set(each.name, await judge(requests, answers))
      return used
    },
  })
  const title = `${requestsOf(0).length} cold requests ${how} (CPU ms a request)`
  const [own, theirs] = [contender(ours), contender(peer)]
  const ratios = await compare({ title, ours: own, peers: [theirs], rounds })
  firstRound += rounds
  const [mine, its] = [ours, peer].map(({ name }) => text(lastAnswers.get(name)))
  return [
    {
      what: `${title}, against ${peer.name}`,
      figure: '≤ 0.4x, no more bytes',
      measured: `${ratios.get(peer.name)?.toFixed(2)}x; ${mine} against ${its}`,
    },
  ]
}

function text(judged: Judged | undefined): string {
  return `${judged?.bytes.toFixed(0)} B a request, SSIM ${judged?.similarity.toFixed(4)}`
}

/** The lowest quality of each format that is as much like the photographs as what the peer makes. */
async function measureAtEqualSimilarity(): Promise<Row[]> {
  const found: Record<Format, number> = { webp: 80, avif: 80, jpeg: 80 }
  for (const format of formats) {
    const requests = requestsOf(firstRound).filter((each) => each.format === format)
    const wanted = await judge(requests, await askAll(peer, requests))
    const curve: (readonly [quality: number, similarity: number])[] = []
    for (const quality of qualities) {
      const answers = await askAll(
        { ...ours, ask: (request) => askOurs(request, quality) },
        requests,
      )
      curve.push([quality, (await judge(requests, answers)).similarity])
    }
    found[format] = qualityAt(curve, wanted.similarity)
  }
  firstRound += 1
  ours.qualityOf = found
  return await measureMix(`at equal SSIM (q ${formats.map((each) => found[each]).join(', ')})`)
}

function qualityAt(
  curve: readonly (readonly [quality: number, similarity: number])[],
  wanted: number,
): number {
  for (const [place, [quality, similarity]] of curve.entries()) {
    const [fromQuality, from] = curve[place - 1] ?? [quality, similarity]
    if (similarity < wanted) continue
    if (similarity === from) return quality
    return Math.ceil(
      fromQuality + ((wanted - from) / (similarity - from)) * (quality - fromQuality),
    )
  }
  return qualities.at(-1) ?? 100
}
