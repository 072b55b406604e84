import { expect, test } from 'bun:test'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { embedderContract } from '../../ports/media/embedder.contract.ts'
import { EmbedderUnavailableError } from '../../ports/media/embedder.ts'
import { have, type Need, noNetwork } from '../../../test/support/needs.ts'
import { MinilmEmbedder } from './minilm-embedder.ts'
import { spaceByEngine } from './engines.ts'
import { modelDirectory } from './model-files.ts'
import { nativeLibrary } from './native-engine.ts'

const nativeRuntime: Need = {
  what: 'the native ONNX Runtime',
  howToGetIt: 'npm ci with optional dependencies, on Linux with glibc, macOS or Windows',
  isThere: () => nativeLibrary() !== undefined,
}
const hasNative = have('the model in the native runtime', nativeRuntime)

embedderContract('MiniLM in WebAssembly', async () => new MinilmEmbedder({ engines: ['web'] }))
if (hasNative)
  embedderContract('MiniLM, native', async () => new MinilmEmbedder({ engines: ['native'] }))

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

test.skipIf(!hasNative)(
  'the native runtime comes first, and both make nearly the same vectors',
  async () => {
    await using embedder = new MinilmEmbedder()
    await using web = new MinilmEmbedder({ engines: ['web'] })
    expect(await embedder.space()).toBe(spaceByEngine.native)
    expect(await web.space()).toBe(spaceByEngine.web)
    expect(embedder.isLike(spaceByEngine.web)).toBe(true)
    for (const text of ['settings cog', '', 'a red house beside the river '.repeat(20)])
      expect(dot(await embedder.embed(text, 'now'), await web.embed(text, 'now'))).toBeGreaterThan(
        0.98,
      )
  },
)

test('where the native library is not the reviewed one the model runs in WebAssembly', async () => {
  const reasons: string[] = []
  await using embedder = new MinilmEmbedder({
    library: import.meta.path,
    onSlower: (reason) => void reasons.push(reason),
  })

  expect((await embedder.embed('house', 'now')).length).toBe(384)
  expect(await embedder.space()).toBe(spaceByEngine.web)
  expect(reasons.join()).toContain('must have the SHA-256')
})

/** The process that a test has started; Linux alone. */
const onlyChild = async (): Promise<number> =>
  Number(
    (await Bun.file(`/proc/self/task/${process.pid}/children`).text()).trim().split(' ').at(-1),
  )

test.skipIf(!hasNative || process.platform !== 'linux')(
  'where the native runtime ends while it loads, who waits is answered by the other engine',
  async () => {
    await using embedder = new MinilmEmbedder()
    const waiting = embedder.embed('house', 'now')
    process.kill(await onlyChild(), 'SIGKILL')

    expect((await waiting).length).toBe(384)
    expect(await embedder.space()).toBe(spaceByEngine.web)
  },
)

test.skipIf(process.platform !== 'linux')(
  'a model that is killed is started again, and who waited is told',
  async () => {
    await using embedder = new MinilmEmbedder()
    const space = await embedder.space()
    const child = await onlyChild()
    process.kill(child, 'SIGSTOP')
    const waiting = embedder.embed('house', 'now').catch((error: unknown) => error)
    process.kill(child, 'SIGKILL')

    expect(await waiting).toBeInstanceOf(EmbedderUnavailableError)
    expect((await embedder.embed('house', 'now')).length).toBe(384)
    expect(await embedder.space()).toBe(space)
  },
)

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
