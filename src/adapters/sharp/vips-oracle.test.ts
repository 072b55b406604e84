import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import sharp from 'sharp'

import { patient } from '../../../test/fixtures/patience.ts'
import {
  decode,
  painted,
  photoPainter,
  sampleImageDirectory,
} from '../../../test/fixtures/sample-images.ts'
import { have, vips } from '../../../test/support/needs.ts'
import type { TransformJob } from '../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from './sharp-renderer.ts'

const shape = { width: 320, height: 200 }
const same = { brightness: 1, contrast: 1, saturation: 1, tint: undefined }
const side = (length: number) => ({ top: length, right: length, bottom: length, left: length })

/** What we are asked for, and what libvips' own command line is: `in`, `out` and `mat` are files. */
const steps: readonly {
  readonly name: string
  readonly job: Partial<TransformJob>
  readonly command: string
  /** Rows of a matrix that the command reads. */
  readonly matrix?: readonly string[]
}[] = [
  {
    name: 'a part',
    job: {
      region: { left: 20, top: 10, width: 100, height: 80 },
      resize: { width: 100, height: 80 },
    },
    command: 'extract_area in out 20 10 100 80',
  },
  { name: 'mirrored', job: { flip: 'h' }, command: 'flip in out horizontal' },
  { name: 'upside down', job: { flip: 'v' }, command: 'flip in out vertical' },
  { name: 'turned', job: { rotate: 90 }, command: 'rot in out d90' },
  {
    name: 'half as large',
    job: { resize: { width: 160, height: 100 } },
    command: 'resize in out 0.5',
  },
  { name: 'blurred', job: { blurSigma: 4 }, command: 'gaussblur in out 4 --min-ampl 0.05' },
  {
    name: 'sharpened',
    job: { sharpen: 2 },
    command: 'conv in out mat',
    matrix: ['3 3 24 0', '-2 -2 -2', '-2 40 -2', '-2 -2 -2'],
  },
  { name: 'gamma', job: { gamma: 1.8 }, command: 'gamma in out --exponent 1.8' },
  { name: 'inverted', job: { adjust: { ...same, isInverted: true } }, command: 'invert in out' },
  {
    name: 'brighter, with less contrast',
    job: { adjust: { ...same, brightness: 1.2, contrast: 0.7 } },
    command: 'linear in out 0.84 38.4 --uchar',
  },
  {
    name: 'sepia',
    job: { adjust: { ...same, sepia: 1 } },
    command: 'recomb in out mat',
    matrix: ['3 3', '0.393 0.769 0.189', '0.349 0.686 0.168', '0.272 0.534 0.131'],
  },
  {
    name: 'half a turn of hue',
    job: { adjust: { ...same, hue: 180 } },
    command: 'recomb in out mat',
    matrix: ['3 3', '-0.574 1.43 0.144', '0.426 0.43 0.144', '0.426 1.43 -0.856'],
  },
  {
    name: 'with a border',
    job: { border: { color: '#ff8800', widths: side(6) } },
    command: 'embed in out 6 6 332 212 --extend background --background "255 136 0"',
  },
  {
    name: 'on a canvas',
    job: {
      canvas: { size: { width: 400, height: 300 }, left: 30, top: 40 },
      background: '#336699',
    },
    command: 'embed in out 30 40 400 300 --extend background --background "51 102 153"',
  },
  {
    name: 'pixelated',
    job: { pixelate: { size: 8 } },
    command: 'shrink in mid 8 8 && vips zoom mid out 8 8',
  },
]

describe.if(have('steps against libvips’ own command line', vips))(
  'libvips’ own command line',
  () => {
    let images: Awaited<ReturnType<typeof sampleImageDirectory>>
    let renderer: SharpRenderer
    let source: string
    beforeAll(async () => {
      images = await sampleImageDirectory()
      renderer = await openSharpRenderer(patient)
      source = await images.write('in.png', await painted(shape, photoPainter(2)).png().toBuffer())
    })
    afterAll(async () => {
      await renderer[Symbol.asyncDispose]()
      await images[Symbol.asyncDispose]()
    })

    for (const { name, job, command, matrix = [] } of steps)
      test(`makes the same of an image: ${name}`, async () => {
        const mat = await images.write(`${name}.mat`, matrix.join('\n'))
        const out = await images.write(`${name}.png`, '')
        const mid = await images.write('mid.v', '')
        const { status, stderr } = spawnSync(
          'sh',
          [
            '-c',
            `vips ${command}`
              .replace(' in ', ` ${source} `)
              .replaceAll(/ out\b/gu, ` '${out}'`)
              .replaceAll(/ mid\b/gu, ` ${mid}`)
              .replace(/ mat$/u, ` '${mat}'`),
          ],
          { encoding: 'utf8' },
        )
        expect({ status, stderr }).toMatchObject({ status: 0 })
        const { result } = await renderer.run({
          kind: 'transform',
          source: { path: source, format: 'png', size: shape, isSrgb: true },
          isAnimated: false,
          resize: shape,
          output: { format: 'png', quality: 100, effort: 'fast', isGraphic: false },
          ...job,
        })

        const [ours, theirs] = [
          await decode(result.bytes),
          await decode(await Bun.file(out).bytes()),
        ]
        expect([ours.width, ours.height]).toEqual([theirs.width, theirs.height])
        expect(await meanDifference(result.bytes, await Bun.file(out).bytes())).toBeLessThan(0.6)
      })
  },
)

/** Of 255, of all channels. */
async function meanDifference(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = [await pixelsIn(one), await pixelsIn(other)]
  let sum = 0
  for (const [place, value] of a.entries()) sum += Math.abs(value - (b[place] ?? 0))
  return sum / a.length
}

const pixelsIn = async (bytes: Uint8Array): Promise<Uint8Array> =>
  await sharp(bytes).removeAlpha().raw().toBuffer()
