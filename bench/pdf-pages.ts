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
  const target = join(directory, 'theirs')
  const scale = ['-scale-to-x', String(width), '-scale-to-y', String(height)]
  const pages = ['-png', '-singlefile', '-f', '1', '-l', '1']
  const theirs = Bun.spawnSync(['pdftoppm', ...pages, ...scale, path, target])
  const alike = await ssim(result.bytes, await Bun.file(`${target}.png`).bytes())
  const ratio = cpuMs / (Number(theirs.resourceUsage.cpuTime.total) / 1000)
  return [
    { what: `${what}, SSIM against pdftoppm`, figure: '≥ 0.98', measured: alike.toFixed(4) },
    {
      what: `${what}, CPU: ours / pdftoppm's`,
      figure: '',
      measured: `${ratio.toFixed(2)}x, ${cpuMs.toFixed(0)} ms`,
    },
  ]
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
