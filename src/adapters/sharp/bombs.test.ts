import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type Bomb, makeBombs } from '../../../test/fixtures/bombs.ts'
import {
  painted,
  photoPainter,
  sampleImageDirectory,
} from '../../../test/fixtures/sample-images.ts'
import { sniffImageType } from '../../domain/media/facts/image-type.ts'
import { type TransformJob, UnrenderableImageError } from '../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from './sharp-renderer.ts'
import { residentBytes } from '../../lib/watch-process.ts'

let pictures: Awaited<ReturnType<typeof sampleImageDirectory>>
let renderer: SharpRenderer
let photo: TransformJob
beforeAll(async () => {
  pictures = await sampleImageDirectory()
  renderer = await openSharpRenderer({ slots: 1 })
  const size = { width: 300, height: 200 }
  const bytes = await painted(size, photoPainter(1)).png().toBuffer()
  photo = transformOf(await pictures.write('photo.png', bytes), 'png', size)
})
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await pictures[Symbol.asyncDispose]()
})

const maxBytes = 2 ** 30
const maxMs = 11_000

const transformOf = (
  path: string,
  format: TransformJob['source']['format'],
  size: { readonly width: number; readonly height: number },
): TransformJob => ({
  kind: 'transform',
  source: { path, format, size, isSrgb: false },
  isAnimated: false,
  resize: { width: 2000, height: 2000 },
  output: { format: 'webp', quality: 80, effort: 'fast', isGraphic: false },
})

/** What becomes of a bomb: header first, then a large result, then everything else there is to do. */
async function handle({ bytes }: Bomb, name: string): Promise<void> {
  const format = sniffImageType(bytes)
  if (format === undefined) throw new UnrenderableImageError('unsupported-type', 'by its bytes')
  const path = await pictures.write(name, bytes)
  const { result: header } = await renderer.run({ kind: 'inspect', path, format })
  const job = transformOf(path, format, header)
  await renderer.run({ ...job, isAnimated: header.frames > 1 })
  const { source } = job
  await renderer.run({ kind: 'analyse', source, mipWidths: [1280], findFaces: false })
  await renderer.run(format === 'svg' ? { kind: 'read', path } : { kind: 'legible', source })
}

for (const [index, bomb] of (await makeBombs()).entries())
  test(`${bomb.name} is ${bomb.isRefused ? 'refused' : 'bounded'}, and the next picture is drawn`, async () => {
    let highest = 0
    const watch = setInterval(() => {
      highest = Math.max(highest, ...renderer.pids.map(residentBytes))
    }, 20)
    const startedAt = performance.now()
    const failure = await handle(bomb, `bomb-${index}`).then(
      () => undefined,
      (error: unknown) => error,
    )
    clearInterval(watch)

    if (bomb.isRefused || failure !== undefined)
      expect(failure).toBeInstanceOf(UnrenderableImageError)
    expect(performance.now() - startedAt).toBeLessThan(3 * maxMs)
    expect(highest).toBeLessThan(maxBytes)
    expect(await renderer.run(photo)).toHaveProperty('result')
  }, 60_000)
