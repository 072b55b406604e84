// Pages of PDFs against pdftoppm at the same size: how alike they are, and the time of a core that each
// takes. SEDGE_BENCH_PDFS names a directory of PDFs beside those that are made here.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { BoxedStillMaker } from '../src/adapters/stills/boxed-still-maker.ts'
import { pdfOf, samplePage } from '../test/fixtures/pdf-files.ts'
import { notoSans } from '../test/fixtures/still-files.ts'
import { report, type Row } from './harness.ts'
import { ssim } from './images/ssim.ts'

const finer = 4

const directory = await mkdtemp(join(tmpdir(), 'sedge-pages-'))
const maker = new BoxedStillMaker({
  directory: join(directory, 'work'),
  kinds: ['pdf'],
  maxMs: 120_000,
  maxCpuMs: 60_000,
})

async function compare(what: string, path: string): Promise<readonly Row[]> {
  const { result, cpuMs } = await maker.make({ kind: 'still', path, of: 'pdf', at: { page: 1 } })
  if (result.outcome !== 'made') return []
  const { width, height } = await sharp(result.bytes).metadata()
  const size = { width, height }
  const { bytes: theirs, cpuMs: theirMs } = await pageOfPoppler(path, size)
  const fine = await fineReference(path, size)
  const rowOf = (of: string, figure: string, measured: string): Row => ({
    what: `${what}, ${of}`,
    figure,
    measured,
  })
  const [ours, poppler] = [await ssim(result.bytes, fine), await ssim(theirs, fine)]
  return [
    rowOf('SSIM against pdftoppm', '≥ 0.98', (await ssim(result.bytes, theirs)).toFixed(4)),
    rowOf(
      `SSIM against pdftoppm ${finer} times as large, scaled down`,
      '',
      `${ours.toFixed(4)}; of pdftoppm itself ${poppler.toFixed(4)}`,
    ),
    rowOf("CPU: ours / pdftoppm's", '', `${(cpuMs / theirMs).toFixed(2)}x, ${cpuMs.toFixed(0)} ms`),
  ]
}

interface PageSize {
  readonly width: number
  readonly height: number
}

async function pageOfPoppler(path: string, { width, height }: PageSize) {
  const target = join(directory, 'theirs')
  const scale = ['-scale-to-x', String(width), '-scale-to-y', String(height)]
  const pages = ['-png', '-singlefile', '-f', '1', '-l', '1']
  const { resourceUsage } = Bun.spawnSync(['pdftoppm', ...pages, ...scale, path, target])
  const bytes = await Bun.file(`${target}.png`).bytes()
  return { bytes, cpuMs: Number(resourceUsage.cpuTime.total) / 1000 }
}

/** pdftoppm lays letters on whole rows of pixels, up to a pixel too high: the finer they are the less that is. */
async function fineReference(path: string, { width, height }: PageSize): Promise<Uint8Array> {
  const large = { width: width * finer, height: height * finer }
  const { bytes } = await pageOfPoppler(path, large)
  const scaled = sharp(bytes).resize(width, height, { fit: 'fill', kernel: 'linear' })
  return await scaled.png({ compressionLevel: 1 }).toBuffer()
}

const own = join(directory, 'own.pdf')
await writeFile(own, pdfOf({ pages: [samplePage('Annual report')], font: await notoSans() }))
const rows = [...(await compare('shapes, curves and writing', own))]
const given = process.env['SEDGE_BENCH_PDFS']
for (const name of given === undefined ? [] : readdirSync(given).toSorted())
  rows.push(...(await compare(name, join(given ?? '', name))))
await report('pdf-pages', rows)
await maker[Symbol.asyncDispose]()
await rm(directory, { recursive: true, force: true })
