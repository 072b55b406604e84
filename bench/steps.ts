// Every step of a transform against libvips' own command line doing the same, by processor time:
// decoding, the step, encoding. What starting the command costs is taken off. Debian's libvips is older
// than that in sharp: read the ratios together with the first row, which has no step at all.
//
//   apt-get install libvips-tools; ROUNDS=5 npx bun bench/steps.ts
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openSharpRenderer } from '../src/adapters/sharp/sharp-renderer.ts'
import type { TransformJob } from '../src/ports/media/renderer.ts'
import { painted, photoPainter } from '../test/fixtures/sample-images.ts'
import { patient } from '../test/fixtures/patience.ts'
import { median, report, type Row } from './harness.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const shape = { width: 2000, height: 1500 }
const megapixels = (shape.width * shape.height) / 1e6
const same = { brightness: 1, contrast: 1, saturation: 1, tint: undefined }
const sides = { top: 20, right: 20, bottom: 20, left: 20 }

interface Step {
  readonly name: string
  readonly job: Partial<TransformJob>
  /** Of libvips, where one does the same. */
  readonly command?: readonly string[]
}

const text = {
  text: 'What is written over an image, and how much it takes',
  sizePx: 80,
  isBold: true,
  isItalic: false,
  color: '#ffffff',
  opacity: 1,
  align: 'center',
  place: { x: 0.5, y: 1 },
  marginPx: 20,
  maxWidthPx: 1600,
} as const
const box = { color: '#000000', opacity: 0.6, paddingPx: 32 }
const canvas = { size: { width: 2200, height: 1650 }, left: 100, top: 75 }

const matrices = {
  sepia: '3 3\n0.393 0.769 0.189\n0.349 0.686 0.168\n0.272 0.534 0.131\n',
  sharpen: '3 3 24 0\n-2 -2 -2\n-2 40 -2\n-2 -2 -2\n',
}

const steps: readonly Step[] = [
  { name: 'nothing', job: {}, command: ['copy'] },
  {
    name: 'crop',
    job: {
      region: { left: 100, top: 100, width: 1600, height: 1200 },
      resize: { width: 1600, height: 1200 },
    },
    command: ['extract_area', '100', '100', '1600', '1200'],
  },
  { name: 'flip', job: { flip: 'h' }, command: ['flip', 'horizontal'] },
  { name: 'rotate', job: { rotate: 90 }, command: ['rot', 'd90'] },
  { name: 'blur', job: { blurSigma: 4 }, command: ['gaussblur', '4', '--min-ampl', '0.05'] },
  { name: 'sharpen', job: { sharpen: 2 }, command: ['conv', 'sharpen.mat'] },
  { name: 'gamma', job: { gamma: 1.8 }, command: ['gamma', '--exponent', '1.8'] },
  { name: 'invert', job: { adjust: { ...same, isInverted: true } }, command: ['invert'] },
  {
    name: 'brightness, contrast',
    job: { adjust: { ...same, brightness: 1.2, contrast: 0.7 } },
    command: ['linear', '0.84', '38.4', '--uchar'],
  },
  { name: 'sepia', job: { adjust: { ...same, sepia: 1 } }, command: ['recomb', 'sepia.mat'] },
  {
    name: 'border',
    job: { border: { color: '#ff8800', widths: sides } },
    command: [
      'embed',
      '20',
      '20',
      '2040',
      '1540',
      '--extend',
      'background',
      '--background',
      '255 136 0',
    ],
  },
  { name: 'pixelate', job: { pixelate: { size: 10 } }, command: ['pixelate'] },
  { name: 'strong blur', job: { blurSigma: 40 } },
  { name: 'tint', job: { adjust: { ...same, tint: '#804000' } } },
  { name: 'opacity', job: { opacity: 0.5 } },
  { name: 'radius', job: { radius: 750 } },
  { name: 'padding', job: { padding: sides } },
  { name: 'canvas', job: { canvas } },
  { name: 'background', job: { background: '#ff8800' } },
  { name: 'text', job: { texts: [text] } },
  { name: 'text in a box', job: { texts: [{ ...text, box }] } },
]

function overlays(path: string): readonly Step[] {
  const size = { width: 8, height: 8 }
  const source = { path, format: 'jpeg', size, isSrgb: true } as const
  const overlay = { source, opacity: 0.5 }
  const tile = { left: 0, top: 0, width: 200, height: 200 }
  return [
    {
      name: 'overlay all over',
      job: { overlays: [{ ...overlay, box: { left: 0, top: 0, ...shape } }] },
    },
    { name: 'overlay in tiles', job: { overlays: [{ ...overlay, box: tile, gap: 0 }] } },
  ]
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-steps-'))
  const source = join(directory, 'in.jpg')
  await painted(shape, photoPainter(4)).jpeg({ quality: 90 }).toFile(source)
  const small = join(directory, 'small.jpg')
  await painted({ width: 8, height: 8 }, photoPainter(4)).jpeg().toFile(small)
  for (const [name, numbers] of Object.entries(matrices))
    await writeFile(join(directory, `${name}.mat`), numbers)
  await using renderer = await openSharpRenderer(patient)
  const ours = async (job: Partial<TransformJob>) =>
    (
      await renderer.run({
        kind: 'transform',
        source: { path: source, format: 'jpeg', size: shape, isSrgb: true },
        isAnimated: false,
        resize: shape,
        output: { format: 'jpeg', quality: 80, effort: 'fast', isGraphic: false },
        ...job,
      })
    ).cpuMs
  const theirs = (command: readonly string[], from = source): number => {
    const [name = '', ...rest] = command
    const out = join(directory, 'out.jpg[Q=80]')
    if (name !== 'pixelate') return cpuMsOf(directory, [name, from, out, ...rest])
    const middle = join(directory, 'middle.v')
    return (
      cpuMsOf(directory, ['shrink', from, middle, '10', '10']) +
      cpuMsOf(directory, ['zoom', middle, out, '10', '10']) -
      startMs
    )
  }
  const startMs = median(Array.from({ length: 7 }, () => theirs(['copy'], small)))
  const rows: Row[] = []
  for (const { name, job, command } of [...steps, ...overlays(small)]) {
    await ours(job)
    const ratios: number[] = []
    const added: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const cpuMs = await ours(job)
      added.push((cpuMs - (await ours({}))) / megapixels)
      if (command !== undefined) ratios.push(cpuMs / (theirs(command) - startMs))
    }
    const each = `${Math.max(0, median(added)).toFixed(1)} ms more for each megapixel than nothing`
    const measured = command === undefined ? each : `${median(ratios).toFixed(2)}x; ${each}`
    const what = `${name}, 3 MP JPEG to JPEG, CPU${command === undefined ? '' : ' against vips'}`
    rows.push({ what, figure: command === undefined ? '' : '≤ 1.1x', measured })
    console.log(name, measured)
  }
  await rm(directory, { recursive: true, force: true })
  await report('steps', rows)
}

function cpuMsOf(directory: string, command: readonly string[]): number {
  const { exitCode, resourceUsage, stderr } = Bun.spawnSync(['vips', ...command], {
    cwd: directory,
    env: { ...process.env, VIPS_CONCURRENCY: '1' },
  })
  if (exitCode !== 0) throw new Error(`vips ${command.join(' ')}: ${stderr.toString()}`)
  return Number(resourceUsage.cpuTime.total) / 1000
}

await main()
