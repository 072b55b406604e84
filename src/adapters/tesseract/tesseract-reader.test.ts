import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { painted, photoPainter } from '../../../test/fixtures/sample-images.ts'
import { drawWritings } from '../../../test/fixtures/writing.ts'
import { have, noNetwork } from '../../../test/support/needs.ts'
import { textReaderContract } from '../../ports/media/text-reader.contract.ts'
import { TextReaderUnavailableError, UnreadableImageError } from '../../ports/media/text-reader.ts'
import { sureWords } from './sure-words.ts'
import { TesseractReader } from './tesseract-reader.ts'

let written: Uint8Array
let blank: Uint8Array
beforeAll(async () => {
  const images = await drawWritings([
    { text: 'Summer Sale', ground: '#fff' },
    { text: '', ground: '#fff' },
  ])
  ;[written, blank] = images as [Uint8Array, Uint8Array]
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

test('an image that takes too long, or too much memory, is given up', async () => {
  const noise = await painted({ width: 1_600, height: 1_600 }, photoPainter(3)).png().toBuffer()
  for (const options of [{ maxMs: 1 }, { maxBytes: 2 ** 20 }, { maxCpuMs: 20 }]) {
    await using reader = new TesseractReader(options)
    const failure = await reader.read(noise).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(UnreadableImageError)
  }
})

test('a process that somebody kills costs no image: another reads it', async () => {
  await using reader = new TesseractReader()
  await reader.read(written)
  const { pid = 0 } = reader
  const interrupted = reader.read(written)
  const next = reader.read(written)
  process.kill(pid, 'SIGKILL')

  expect(await interrupted).toBe('Summer Sale')
  expect(await next).toBe('Summer Sale')
  expect(reader.pid).not.toBe(pid)
})

test('a process that ends by itself costs one image, and the next is read by another', async () => {
  await using reader = new TesseractReader()
  await reader.read(written)
  const { pid = 0 } = reader
  const dying = reader.read(written).catch((error: unknown) => error)
  const next = reader.read(written)
  process.kill(pid, 'SIGSEGV')

  expect(await dying).toBeInstanceOf(UnreadableImageError)
  expect(await next).toBe('Summer Sale')
})

test('a reader that cannot be started blames no image, and is not tried for ever', async () => {
  let starts = 0
  const box = {
    command() {
      starts += 1
      return { cmd: [process.execPath, '--version'], env: {} }
    },
    noteStart() {},
    loosen: () => false,
  }
  const refused: string[] = []
  await using reader = new TesseractReader({ box, onRefused: (reason) => refused.push(reason) })
  const failure = await reader.read(written).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(TextReaderUnavailableError)
  expect(starts).toBe(3)
  expect(refused).toEqual(['it could not be started'])
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
