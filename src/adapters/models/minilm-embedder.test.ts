import { expect, test } from 'bun:test'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { embedderContract } from '../../ports/embedder.contract.ts'
import { EmbedderUnavailableError } from '../../ports/embedder.ts'
import { have, noNetwork } from '../../../test/support/needs.ts'
import { MinilmEmbedder } from './minilm-embedder.ts'
import { modelDirectory } from './model-files.ts'

embedderContract('MiniLM', async () => new MinilmEmbedder())

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? Number.NaN), 0)

test('texts of like meaning are closer than others', async () => {
  await using embedder = new MinilmEmbedder()
  const [bin, remove, giraffe] = await Promise.all([
    embedder.embed('trash can', 'now'),
    embedder.embed('delete garbage', 'now'),
    embedder.embed('quantum physics lecture', 'now'),
  ])

  expect(dot(bin, remove)).toBeGreaterThan(dot(bin, giraffe) + 0.2)
})

test('somebody who waits goes before background work', async () => {
  await using embedder = new MinilmEmbedder()
  await embedder.embed('ready', 'now')
  const order: string[] = []
  const note = (name: string) => () => void order.push(name)
  await Promise.all([
    embedder.embed('first', 'background').then(note('first')),
    embedder.embed('second', 'background').then(note('second')),
    embedder.embed('urgent', 'now').then(note('urgent')),
  ])

  expect(order).toEqual(['first', 'urgent', 'second'])
})

test('a model that is not the reviewed one, byte for byte, is refused', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-model-'))
  await cp(modelDirectory(), directory, { recursive: true })
  await writeFile(join(directory, 'model/tokenizer.json'), '{}')
  const reasons: string[] = []
  await using embedder = new MinilmEmbedder({
    directory,
    onRefused: (reason) => void reasons.push(reason),
  })
  const fault = await embedder.embed('house', 'now').catch((error: unknown) => error)

  expect(fault).toBeInstanceOf(EmbedderUnavailableError)
  expect(reasons.join()).toContain('model/tokenizer.json must have the SHA-256')
  await rm(directory, { recursive: true })
})

test('a model that is not installed is refused, and nothing throws', async () => {
  const reasons: string[] = []
  await using embedder = new MinilmEmbedder({
    directory: join(tmpdir(), 'no-such-model'),
    onRefused: (reason) => void reasons.push(reason),
  })
  embedder.warmUp()
  expect(await embedder.embed('a', 'now').catch((error: unknown) => error)).toBeInstanceOf(
    EmbedderUnavailableError,
  )
  expect(reasons.length).toBe(1)
})

test.skipIf(!have('the model needs no network', noNetwork))(
  'the model needs no network',
  async () => {
    const script = `
      const { MinilmEmbedder } = await import(${JSON.stringify(join(import.meta.dir, 'minilm-embedder.ts'))})
      await using embedder = new MinilmEmbedder()
      console.log((await embedder.embed('house', 'now')).length)`
    const child = Bun.spawn(['unshare', '-rn', process.execPath, '-e', script], {
      stderr: 'ignore',
    })
    expect((await new Response(child.stdout).text()).trim()).toBe('384')
  },
)
