/**
 * The poster of an H.264 film in 1080p: what the processor does for it all over the service, its children
 * counted, against FFmpeg alone making an image of the same size of the same key frame.
 *
 * Needs ffmpeg (apt-get install ffmpeg), and Linux.
 */
import { join } from 'node:path'

import { createZone, uploadLarge } from '../test/support/large-video.ts'
import { startService, temporaryDirectory } from '../test/support/service-process.ts'
import { until } from '../test/support/until.ts'
import { asInProduction, compare, type Contender, report } from './harness.ts'
import { cpuMsOfTree } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const postersPerRound = 4
const secondsBetweenKeys = 2
const width = 640
const path = 'bench/v1/films/film.mp4'

await using directory = await temporaryDirectory()
const film = join(directory.path, 'film.mp4')
const times = rounds * postersPerRound
makeVideo(film, times * secondsBetweenKeys + 4)
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: { IDLE_WORK: 'none', ...asInProduction },
})
await createZone(service.url, 'bench')
await uploadLarge(service.url, path, film)
await until(async () => (await fetch(posterUrl(times * secondsBetweenKeys))).status === 200)
await settled()

const ours: Contender = {
  name: 'sedge',
  async run(round) {
    const before = cpuMsOfTree(service.pid)
    for (const seconds of momentsOf(round)) {
      const response = await fetch(posterUrl(seconds))
      if (response.status !== 200)
        throw new Error(`a poster answered ${response.status}: ${await response.text()}`)
      await response.bytes()
    }
    return (cpuMsOfTree(service.pid) - before) / postersPerRound
  },
}

const bare: Contender = {
  name: 'ffmpeg alone',
  async run(round) {
    let total = 0
    for (const seconds of momentsOf(round)) {
      const words = `-v error -nostdin -y -ss ${seconds} -i ${film} -frames:v 1 -vf scale=${width}:-2 -q:v 3`
      const child = Bun.spawn(['ffmpeg', ...words.split(' '), join(directory.path, 'poster.jpg')])
      if ((await child.exited) !== 0) throw new Error('ffmpeg made no poster')
      total += Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000
    }
    return total / postersPerRound
  },
}

const title = 'CPU of a poster that nobody has asked for before (ms)'
const ratios = await compare({ title, ours, peers: [bare], rounds })
await report('video-stills', [
  {
    what: `poster, ${width} px wide, of a key frame of H.264 in 1080p, against FFmpeg alone, CPU of all processes`,
    figure: '≤ 1.2x',
    measured: `${ratios.get(bare.name)?.toFixed(2)}x`,
  },
])

function posterUrl(seconds: number): string {
  return `${service.url}/api/transform?url=/${path}&t=${seconds}&w=${width}&format=jpeg`
}

function momentsOf(round: number): readonly number[] {
  const first = round * postersPerRound
  return Array.from({ length: postersPerRound }, (_, place) => (first + place) * secondsBetweenKeys)
}

/** What was begun when the video was stored has to be over. */
async function settled(): Promise<void> {
  for (let before = -1; before !== cpuMsOfTree(service.pid);) {
    before = cpuMsOfTree(service.pid)
    await Bun.sleep(1500)
  }
}

function makeVideo(file: string, seconds: number): void {
  const { success } = Bun.spawnSync(
    [
      ...`ffmpeg -v error -y -f lavfi -i mandelbrot=size=1920x1080:rate=5 -t ${seconds}`.split(' '),
      ...`-c:v libx264 -preset veryfast -crf 23 -pix_fmt yuv420p -g ${5 * secondsBetweenKeys} -keyint_min ${5 * secondsBetweenKeys} -sc_threshold 0`.split(
        ' ',
      ),
      file,
    ],
    { stderr: 'inherit' },
  )
  if (!success) throw new Error('ffmpeg could not make the video')
}
