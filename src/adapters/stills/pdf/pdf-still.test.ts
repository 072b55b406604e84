import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import { ssim } from '../../../../bench/images/ssim.ts'
import { pdfOf, samplePage } from '../../../../test/fixtures/pdf-files.ts'
import { notoSans } from '../../../../test/fixtures/still-files.ts'
import { have, pdftoppm } from '../../../../test/support/needs.ts'
import { openTryOut, type TryOut } from '../try-out.fixture.ts'

let trial: TryOut
const pages = ['Annual report', 'Second page', 'Third page'].map(samplePage)
let file: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  trial = await openTryOut(['pdf'])
  file = pdfOf({ pages, font: await notoSans() })
})
afterAll(() => trial[Symbol.asyncDispose]())

test('a page is drawn with its longer side of 2000 pixels, and the number of pages is told', async () => {
  const made = await trial.made('pdf', file, { page: 2 })
  const { width, height, format } = await sharp(made.bytes).metadata()

  expect({ width, height, format }).toEqual({ width: 2000, height: 1419, format: 'png' })
  expect([made.format, made.pages]).toEqual(['png', 3])
})

test('pages differ, and the first is the usual one', async () => {
  const [usual, first, second] = await Promise.all(
    [{}, { page: 1 }, { page: 2 }].map(async (at) => (await trial.made('pdf', file, at)).bytes),
  )
  expect(Buffer.from(usual as Uint8Array).equals(first as Uint8Array)).toBe(true)
  expect(Buffer.from(usual as Uint8Array).equals(second as Uint8Array)).toBe(false)
})

test('the words of the first pages come with the first', async () => {
  const { text } = await trial.made('pdf', file)
  expect(text?.replaceAll(/\s+/gu, ' ')).toContain('Annual report Every page is drawn once,')
  expect(text).toContain('Third page')
  expect((await trial.made('pdf', file, { page: 2 })).text).toBe('')
})

test('of a page beyond the last it says how many there are', async () => {
  expect(await trial.make('pdf', file, { page: 4 })).toEqual({
    outcome: 'beyond',
    target: 'page',
    has: '3 pages',
  })
})

test.skipIf(!have('a page is what pdftoppm draws', pdftoppm))(
  'a page is what pdftoppm draws',
  async () => {
    const made = await trial.made('pdf', file)
    const source = await trial.write(file)
    const target = join(trial.directory, 'page')
    const scaled = ['-scale-to-x', '2000', '-scale-to-y', '1419']
    const { exitCode } = Bun.spawnSync([
      'pdftoppm',
      '-png',
      '-singlefile',
      ...scaled,
      source,
      target,
    ])
    expect(exitCode).toBe(0)
    const theirs = await Bun.file(`${target}.png`).bytes()

    expect(await ssim(made.bytes, theirs)).toBeGreaterThanOrEqual(0.98)
  },
)
