import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { painted, photoPainter } from '../../../test/fixtures/pictures.ts'
import { drawWritings } from '../../../test/fixtures/writing.ts'
import { have, noNetwork } from '../../../test/support/needs.ts'
import { textReaderContract } from '../../ports/text-reader.contract.ts'
import { UnreadablePictureError } from '../../ports/text-reader.ts'
import { sureWords } from './sure-words.ts'
import { TesseractReader } from './tesseract-reader.ts'

let written: Uint8Array
let blank: Uint8Array
beforeAll(async () => {
  const pictures = await drawWritings([
    { text: 'Summer Sale', ground: '#fff' },
    { text: '', ground: '#fff' },
  ])
  ;[written, blank] = pictures as [Uint8Array, Uint8Array]
})

textReaderContract('Tesseract', async () => ({
  reader: new TesseractReader(),
  written,
  blank,
  damaged: written.slice(0, 400),
}))

test('words that it is not sure of, and what is no word, are left out', () => {
  const words = [
    { text: 'Summer', confidence: 96 },
    { text: 'Sa1e', confidence: 60 },
    { text: '|', confidence: 90 },
    { text: '50%', confidence: 61 },
  ]
  const page = { blocks: [{ paragraphs: [{ lines: [{ words }, { words: null }] }] }] }

  expect(sureWords(page)).toBe('Summer 50%')
  expect(sureWords({ blocks: null })).toBe('')
})

test('a picture that takes too long, or too much memory, is given up', async () => {
  const noise = await painted({ width: 1_600, height: 1_600 }, photoPainter(3)).png().toBuffer()
  for (const options of [{ maxMs: 1 }, { maxBytes: 2 ** 20 }, { maxCpuMs: 20 }]) {
    await using reader = new TesseractReader(options)
    const failure = await reader.read(noise).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnreadablePictureError)
  }
})

test('a process that is killed costs one picture, and the next is read by another', async () => {
  await using reader = new TesseractReader()
  await reader.read(written)
  const { pid = 0 } = reader
  const dying = reader.read(written).catch((error: unknown) => error)
  const next = reader.read(written)
  process.kill(pid, 'SIGKILL')

  expect(await dying).toBeInstanceOf(UnreadablePictureError)
  expect(await next).toBe('Summer Sale')
  expect(reader.pid).not.toBe(pid)
})

test('a process that has nothing to read goes, and comes back', async () => {
  await using reader = new TesseractReader({ idleMs: 0 })
  expect(await reader.read(written)).toBe('Summer Sale')
  while (reader.pid !== undefined) await Bun.sleep(5)
  expect(await reader.read(written)).toBe('Summer Sale')
})

test.skipIf(!have('reading needs no network', noNetwork))('reading needs no network', async () => {
  const reader = JSON.stringify(join(import.meta.dir, 'tesseract-reader.ts'))
  const script = `
    const { TesseractReader } = await import(${reader})
    await using reader = new TesseractReader()
    console.log(await reader.read(await Bun.stdin.bytes()))`
  const child = Bun.spawn(['unshare', '-rn', process.execPath, '-e', script], {
    stdin: written,
    stderr: 'ignore',
  })
  expect((await new Response(child.stdout).text()).trim()).toBe('Summer Sale')
})
