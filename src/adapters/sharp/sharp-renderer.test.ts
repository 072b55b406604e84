import { expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  painted,
  photoPainter,
  sampleImageDirectory,
} from '../../../test/fixtures/sample-images.ts'
import { patient } from '../../../test/fixtures/patience.ts'
import { type ChildBox, createChildBox } from '../../lib/box/child-box.ts'
import { rendererContract } from '../../ports/media/renderer.contract.ts'
import type { RenderJob, TransformJob } from '../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRendererOptions } from './sharp-renderer.ts'
import { residentBytes } from '../../lib/watch-process.ts'

const isLinux = process.platform === 'linux'
const brief = { raster: 700, vector: 700 } as const

async function setUp(options: SharpRendererOptions = {}) {
  const pictures = await sampleImageDirectory()
  const renderer = await openSharpRenderer({ slots: 2, ...patient, ...options })
  const photo = { width: 1200, height: 900 }
  const png = await painted(photo, photoPainter(5)).png().toBuffer()
  const soundPath = await pictures.write('sound.png', png)
  const damagedPath = await pictures.write('damaged.png', png.subarray(0, 200_000))
  const sound: TransformJob = {
    kind: 'transform',
    source: { path: soundPath, format: 'png', size: photo, isSrgb: true },
    isAnimated: false,
    resize: { width: 60, height: 45 },
    output: { format: 'webp', quality: 80, effort: 'fast', isGraphic: false },
  }
  const damaged: RenderJob = { ...sound, source: { ...sound.source, path: damagedPath } }
  const missing: RenderJob = {
    ...sound,
    source: { ...sound.source, path: `${soundPath}.gone` },
  }
  const endless: RenderJob = {
    ...sound,
    resize: { width: 3600, height: 2700 },
    output: { ...sound.output, format: 'avif', effort: 'dense' },
  }
  return {
    renderer,
    pictures,
    sound,
    damaged,
    missing,
    endless,
    async [Symbol.asyncDispose]() {
      await renderer[Symbol.asyncDispose]()
      await pictures[Symbol.asyncDispose]()
    },
  }
}

/** By the core where it is watched: by the clock, a busy machine makes harmless jobs late. */
const endsSoon = isLinux ? { maxCpuMsByLane: brief } : { maxMsByLane: brief }
rendererContract('sharp', () => setUp(endsSoon))

test('a job that takes more memory than allowed is ended, and the next one is done', async () => {
  if (!isLinux) return console.log('skipped: memory is watched on Linux only')
  await using house = await setUp({ maxBytes: 150 * 2 ** 20, memoryBytes: 2 ** 30 })
  const strong: RenderJob = {
    ...house.sound,
    resize: { width: 6000, height: 6000 },
    blurSigma: 50,
  }

  const failure = await house.renderer.run(strong).then(undefined, (error: unknown) => error)
  expect(failure).toMatchObject({ reason: 'too-much-memory' })
  expect(await house.renderer.run(house.sound)).toHaveProperty('result')
})

test('round corners of a large JPEG take a few times what the image takes without', async () => {
  await using house = await setUp()
  const size = { width: 2000, height: 1500 }
  const jpeg = await painted(size, () => [90, 120, 150])
    .jpeg()
    .toBuffer()
  const path = await house.pictures.write('large.jpg', jpeg)
  const plain: TransformJob = {
    ...house.sound,
    source: { path, format: 'jpeg', size, isSrgb: true },
    resize: size,
    output: { ...house.sound.output, format: 'jpeg' },
  }
  const leastMs = async (job: TransformJob): Promise<number> => {
    const all: number[] = []
    for (let turn = 0; turn < 4; turn += 1) all.push((await house.renderer.run(job)).cpuMs)
    return Math.min(...all)
  }

  expect(await leastMs({ ...plain, radius: 750 })).toBeLessThan(10 * (await leastMs(plain)))
})

test('a job that will need more memory than all may have is refused before it is begun', async () => {
  await using house = await setUp()
  const vast: RenderJob = { ...house.sound, resize: { width: 6300, height: 6300 }, blurSigma: 50 }
  const refused = house.renderer.run(vast).then(undefined, (error: unknown) => error)

  expect(await refused).toMatchObject({ reason: 'too-many-pixels' })
  expect(await house.renderer.run(house.sound)).toHaveProperty('result')
})

test('a child that is killed from outside fails its own job alone', async () => {
  await using house = await setUp()
  const running = house.renderer.run(house.endless).then(undefined, (error: unknown) => error)
  // By then the other has begun.
  await house.renderer.run(house.sound)
  const neighbour = house.renderer.run(house.sound)
  for (const pid of house.renderer.pids.slice(0, 1)) process.kill(pid, 'SIGKILL')

  expect(await running).toMatchObject({ name: 'RendererUnavailableError' })
  expect(await neighbour).toHaveProperty('result')
  expect(await house.renderer.run(house.sound)).toHaveProperty('result')
})

test('a picture that makes its process crash is told apart from a damaged one, and the log hears of it', async () => {
  const crashes: unknown[] = []
  await using house = await setUp({ onCrash: (how) => crashes.push(how) })
  const running = house.renderer.run(house.endless).then(undefined, (error: unknown) => error)
  // By then the other has begun.
  await house.renderer.run(house.sound)
  for (const pid of house.renderer.pids.slice(0, 1)) process.kill(pid, 'SIGSEGV')

  expect(await running).toMatchObject({ name: 'UnrenderableImageError', reason: 'crashed' })
  expect(crashes).toEqual([expect.objectContaining({ signal: 'SIGSEGV' })])
})

test('a renderer whose processes cannot be started says so, and blames no picture', async () => {
  const box = {
    command: () => ({ cmd: [process.execPath, '--version'], env: {} }),
    noteStart() {},
    loosen: () => false,
  }

  const failure = await openSharpRenderer({ box }).catch((error: unknown) => error)
  expect(failure).toMatchObject({ name: 'RendererUnavailableError' })
})

test('where the whole box keeps a child from starting, less of one is tried', async () => {
  const real = createChildBox()
  let loosened = 0
  const box: ChildBox = {
    command: (program, args, belongings) =>
      loosened === 0
        ? { cmd: [process.execPath, '--version'], env: {} }
        : real.command(program, args, belongings),
    noteStart() {},
    loosen: () => ++loosened === 1,
  }
  await using house = await setUp({ box })

  expect(await house.renderer.run(house.sound)).toHaveProperty('result')
  expect(loosened).toBe(1)
})

test('what an earlier process left for its children is removed at the next start', async () => {
  await using pictures = await sampleImageDirectory()
  const directory = join(pictures.directory, 'render')
  await Bun.write(join(directory, '7', 'inbox', '3'), 'left over')
  await using _renderer = await openSharpRenderer({ directory })

  expect(await Bun.file(join(directory, '7', 'inbox', '3')).exists()).toBe(false)
})

test('what a child was handed is gone once it is done, and the file itself stays', async () => {
  await using pictures = await sampleImageDirectory()
  const directory = join(pictures.directory, 'render')
  await using house = await setUp({ directory })
  await house.renderer.run(house.sound)
  await house.renderer.run(house.damaged).catch(() => {})

  const handed = new Bun.Glob('*/inbox/*').scanSync({ cwd: directory })
  expect([...handed]).toEqual([])
  expect(await Bun.file(house.sound.source.path).exists()).toBe(true)
})

test('disposing ends every child', async () => {
  const house = await setUp()
  await Promise.all([house.renderer.run(house.sound), house.renderer.run(house.sound)])
  const { pids } = house.renderer
  expect(pids.length).toBeGreaterThan(0)
  await house[Symbol.asyncDispose]()

  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow()
})

test('a child knows no secret, no search path, and nothing of the directory it was started in', async () => {
  if (!isLinux)
    return console.log('skipped: the environment of a process is readable on Linux only')
  process.env['SEDGE_TEST_SECRET'] = 'do-not-tell'
  await using house = await setUp()
  const [pid] = house.renderer.pids
  const environment = await Bun.file(`/proc/${pid}/environ`).text()
  delete process.env['SEDGE_TEST_SECRET']

  expect(environment).toContain('MALLOC_ARENA_MAX=2')
  expect(environment).not.toContain('do-not-tell')
  expect(environment).not.toMatch(/(?:^|\0)PATH=/u)
})

test('a child keeps its size over many jobs', async () => {
  if (!isLinux) return console.log('skipped: memory is read on Linux only')
  await using house = await setUp({ slots: 1 })
  const runSome = async (count: number) => {
    for (let job = 0; job < count; job += 1) await house.renderer.run(house.sound)
    return Math.max(...house.renderer.pids.map(residentBytes))
  }
  const early = await runSome(20)
  const late = await runSome(100)

  expect(late).toBeLessThan(early + 60 * 2 ** 20)
  expect(late).toBeLessThan(400 * 2 ** 20)
})
