import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { MemoryBlobStore } from '../../memory/content/memory-blob-store.ts'
import { runGit } from '../objects/git-command.ts'
import { type GitContentStore, openGitContentStore } from '../git-content-store.ts'
import { openRepositoryCopy } from './pack-exchange.ts'

async function openPair() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-packs-'))
  const blobs = new MemoryBlobStore()
  const source = await openGitContentStore({
    directory: join(directory, 'source.git'),
    blobs,
    now: () => new Date('2026-11-22T12:00:00Z'),
    onWarning: () => {},
    onFatal: () => {},
  })
  const warnings: string[] = []
  const sourceDirectory = join(directory, 'source.git')
  const copyDirectory = join(directory, 'copy.git')
  const copy = await openRepositoryCopy({
    directory: copyDirectory,
    onWarning: (message) => warnings.push(message),
  })
  return {
    source,
    sourceDirectory,
    copy,
    warnings,
    write: (path: string, bytes: Uint8Array) => write(source, { blobs, path, bytes }),
    git: async (...args: string[]) => (await runGit(copyDirectory, args)).toString().trim(),
    async [Symbol.asyncDispose]() {
      await source[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

interface Written {
  readonly blobs: MemoryBlobStore
  readonly path: string
  readonly bytes: Uint8Array
}

async function write(source: GitContentStore, { blobs, path, bytes }: Written): Promise<string> {
  await using incoming = await blobs.receive(bytes)
  const blob = await incoming.keep()
  const request = { subject: `put ${path}`, author: 'key' }
  const commit = await source.commit(request, async () => [{ kind: 'put', path, blob }])
  return commit?.id ?? ''
}

type Pair = Awaited<ReturnType<typeof openPair>>

/** Hands on what leads from one commit to the other, and answers how many packs that were. */
async function handOn({ source, copy }: Pair, after: string | undefined, commitId: string) {
  const packs = await source.source.packs(after, commitId)
  for (const pack of packs) await copy.add(await new Response(pack).blob())
  await copy.resetTo(commitId)
  return packs.length
}

const text = (words: string) => new TextEncoder().encode(words)
const large = new Uint8Array(700_000).fill(7)

test('a copy has every commit of the source with all its bytes, small and large', async () => {
  await using pair = await openPair()
  const first = await pair.write('clients/acme/v1/logos/a.svg', text('<svg/>'))
  await handOn(pair, undefined, first)
  const second = await pair.write('clients/acme/v1/banners/large.bin', large)
  const third = await pair.write('clients/acme/v1/logos/b.svg', text('<svg>b</svg>'))
  await handOn(pair, first, third)

  expect(await pair.copy.has(second)).toBeTrue()
  expect(await pair.git('rev-parse', 'main')).toBe(third)
  expect(await pair.git('cat-file', '-s', 'main:clients/acme/v1/banners/large.bin')).toBe('700000')
  expect(await pair.git('fsck', '--full', '--strict')).toBe('')
})

test('what is not remembered any more is packed anew, alone', async () => {
  await using pair = await openPair()
  const commits: string[] = []
  for (const name of ['a', 'b', 'c', 'd'])
    commits.push(await pair.write(`clients/acme/v1/logos/${name}.svg`, text(`<svg>${name}</svg>`)))
  const [, second = '', , last = ''] = commits
  await runGit(pair.sourceDirectory, ['repack', '-a', '-d', '-q'])

  expect(await handOn(pair, undefined, second)).toBe(1)
  expect(await pair.git('rev-list', '--count', '--all')).toBe('2')
  expect(await handOn(pair, second, last)).toBe(1)
  expect(await pair.git('rev-list', '--count', 'main')).toBe('4')
  expect(await pair.git('fsck', '--full', '--strict')).toBe('')
})

test('commits that lead elsewhere are set aside under a name of their own', async () => {
  await using pair = await openPair()
  const first = await pair.write('clients/acme/v1/logos/a.svg', text('<svg/>'))
  const second = await pair.write('clients/acme/v1/logos/b.svg', text('<svg/>'))
  await handOn(pair, undefined, second)
  await pair.copy.resetTo(first)

  expect(await pair.git('rev-parse', 'main')).toBe(first)
  expect(await pair.git('rev-parse', `refs/abandoned/${second}`)).toBe(second)
  expect(pair.warnings).toHaveLength(1)
  await pair.copy.resetTo(second)
  expect(await pair.git('rev-parse', 'main')).toBe(second)
})

test('a pack that is cut short is not taken', async () => {
  await using pair = await openPair()
  const commit = await pair.write('clients/acme/v1/logos/a.svg', text('<svg/>'))
  const [pack] = await pair.source.source.packs(undefined, commit)
  const bytes = await new Response(pack).bytes()

  await expect(pair.copy.add(new Blob([bytes.slice(0, -25)]))).rejects.toThrow()
  await expect(pair.copy.add(new Blob(['no pack']))).rejects.toThrow()
  expect(await pair.copy.has(commit)).toBeFalse()
})
