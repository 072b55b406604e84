/**
 * How fast single files become durable commits in a repository of 50,000 files, against git's own
 * fast-import with a checkpoint each and git's commands, all of them flushing everything they write.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openGitContentStore } from '../src/adapters/git/git-content-store.ts'
import { MemoryBlobStore } from '../src/adapters/memory/content/memory-blob-store.ts'
import {
  createRepository,
  fileBytes,
  nextPath,
  openCommands,
  openFastImport,
  randomBytes,
} from './git-peers.ts'
import { compare, percentile, report } from './harness.ts'

const groupSize = 50
const rounds = Number(process.env['ROUNDS'] ?? 20)
const writesPerRound = 30

async function main(): Promise<void> {
  const template = join(directory, 'template.git')
  await createRepository(template)
  await using ours = await openOurs(await copyOf(template, 'ours'))
  await using fastImport = await openFastImport(await copyOf(template, 'fast-import'))
  const commands = openCommands(await copyOf(template, 'commands'))
  const latencies: number[] = []
  const single = await compare({
    title: 'single durable PUT of 10 KB (commits/s)',
    ours: {
      name: 'sedge',
      run: () =>
        rate(writesPerRound, async () => {
          const started = performance.now()
          await ours.commit()
          latencies.push(performance.now() - started)
        }),
    },
    peers: [
      {
        name: 'git fast-import, a checkpoint each',
        run: () => rate(writesPerRound, () => fastImport.commit(1)),
      },
      { name: 'git commands', run: () => rate(5, () => commands.commit()) },
    ],
    rounds,
  })
  const grouped = await compare({
    title: `${groupSize} durable PUTs at once (commits/s)`,
    ours: {
      name: 'sedge',
      run: async () =>
        groupSize *
        (await rate(4, () => Promise.all(Array.from({ length: groupSize }, () => ours.commit())))),
    },
    peers: [
      {
        name: `git fast-import, a checkpoint for ${groupSize}`,
        run: async () => groupSize * (await rate(4, () => fastImport.commit(groupSize))),
      },
    ],
    rounds,
  })
  await report('commit', [
    {
      what: 'single durable PUT, 50,000 files, against fast-import with a checkpoint each',
      figure: '≥ 0.8x',
      measured: ratio(single, 'git fast-import, a checkpoint each'),
    },
    {
      what: 'the same against git’s commands',
      figure: '≥ 6x',
      measured: ratio(single, 'git commands'),
    },
    {
      what: `${groupSize} at once against fast-import with a checkpoint for ${groupSize}`,
      figure: '',
      measured: ratio(grouped, `git fast-import, a checkpoint for ${groupSize}`),
    },
    {
      what: 'single durable PUT, latency p50 / p99',
      figure: '',
      measured: `${percentile(latencies, 0.5).toFixed(1)} / ${percentile(latencies, 0.99).toFixed(1)} ms`,
    },
  ])
}

const ratio = (ratios: ReadonlyMap<string, number>, name: string) =>
  `${(ratios.get(name) ?? Number.NaN).toFixed(2)}x`

async function rate(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  for (let index = 0; index < count; index += 1) await work()
  return (count * 1000) / (performance.now() - started)
}

async function copyOf(template: string, name: string): Promise<string> {
  const copy = join(directory, `${name}.git`)
  await cp(template, copy, { recursive: true })
  return copy
}

const openStore = (path: string, blobs: MemoryBlobStore) =>
  openGitContentStore({
    directory: path,
    blobs,
    now: () => new Date(),
    onWarning: console.warn,
    onFatal: console.error,
  })

async function openOurs(path: string) {
  const blobs = new MemoryBlobStore()
  const store = await openStore(path, blobs)
  return {
    async commit() {
      const target = nextPath()
      await using incoming = await blobs.receive(randomBytes(fileBytes))
      const blob = await incoming.keep()
      await store.commit({ subject: `put ${target}`, author: 'bench' }, async (tree) => {
        await tree.spelling(target)
        return [{ kind: 'put', path: target, blob }]
      })
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-commit-'))
try {
  await main()
} finally {
  await rm(directory, { recursive: true, force: true })
}
