/**
 * Durable PUTs through the whole service (HTTP, blob, commit, catalogue, feed, audit) into a repository
 * of 50,000 files, against git's own fast-import and commands, which only commit; many clients at once;
 * and how soon the edge serves what was answered.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, startService } from '../test/support/service-process.ts'
import {
  createRepository,
  fileBytes,
  nextPath,
  openCommands,
  openFastImport,
  randomBytes,
} from './git-peers.ts'
import { asInProduction, compare, median, percentile, report } from './harness.ts'
import { cpuSeconds, untilIdle } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 15)
const clientCount = 32
const putsEach = 10
/** A checkpoint makes files of small blobs; it belongs to the writes before it. */
const checkpointMs = 1_100

async function main(directory: string): Promise<void> {
  const dataDirectory = join(directory, 'data')
  const template = join(directory, 'template.git')
  await createRepository(template)
  await cp(template, join(dataDirectory, 'repository.git'), { recursive: true })
  await cp(template, join(directory, 'fast-import.git'), { recursive: true })
  await cp(template, join(directory, 'commands.git'), { recursive: true })
  await using service = await startService({ dataDirectory, environment: asInProduction })
  await using fastImport = await openFastImport(join(directory, 'fast-import.git'))
  const commands = openCommands(join(directory, 'commands.git'))

  async function put(path: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const url = `${service.url}/api/storage/${path}`
    const response = await fetch(url, { method: 'PUT', headers: access, body })
    await response.arrayBuffer()
    if (response.status !== 201) throw new Error(`PUT was answered ${response.status}`)
  }

  // What the files that were there before mean is worked out for minutes, and is no part of a write.
  await untilIdle(service.pid)

  const single = await compare({
    title: 'single durable PUT of 10 KB (writes/s)',
    ours: {
      name: 'sedge, all of it',
      run: () => rate(30, () => put(nextPath(), randomBytes(fileBytes))),
    },
    peers: [
      {
        name: 'git fast-import, a checkpoint each',
        run: () => rate(30, () => fastImport.commit(1)),
      },
      { name: 'git commands', run: () => rate(5, () => commands.commit()) },
    ],
    rounds,
  })

  /** What was written before is looked at for a while after. */
  const cpuMs = async (count: number, work: () => Promise<unknown>): Promise<number> => {
    await untilIdle(service.pid)
    const before = await cpuSeconds(service.pid)
    await work()
    await Bun.sleep(checkpointMs)
    return (((await cpuSeconds(service.pid)) - before) * 1000) / count
  }
  const putRandom = () => put(nextPath(), randomBytes(fileBytes))
  const cpuOfOne: number[] = []
  const cpuOfMany: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    cpuOfOne.push(await cpuMs(50, () => repeat(50, putRandom)))
    const all = () =>
      Promise.all(Array.from({ length: clientCount }, () => repeat(putsEach, putRandom)))
    cpuOfMany.push(await cpuMs(clientCount * putsEach, all))
  }

  const latencies: number[] = []
  const many = await compare({
    title: `${clientCount} clients PUT 10 KB (writes/s)`,
    ours: {
      name: `${clientCount} clients`,
      run: () =>
        rateOf(clientCount * putsEach, () =>
          Promise.all(
            Array.from({ length: clientCount }, () =>
              repeat(putsEach, () => timed(latencies, putRandom)),
            ),
          ),
        ),
    },
    peers: [{ name: 'one client', run: () => rate(30, putRandom) }],
    rounds,
  })

  const delays: number[] = []
  for (let round = 0; round < rounds * 10; round += 1) {
    const path = nextPath()
    const body = randomBytes(fileBytes)
    await put(path, body)
    const responses = performance.now()
    while (!(await served(`${service.url}/${path.replace('clients/', '')}`, body)));
    delays.push(performance.now() - responses)
  }

  await report('put', [
    {
      what: 'single durable PUT of 10 KB, 50,000 files, against bare fast-import with a checkpoint each',
      figure: '≥ 1.5x',
      measured: times(single, 'git fast-import, a checkpoint each'),
    },
    {
      what: 'the same against git’s commands',
      figure: '≥ 6x',
      measured: times(single, 'git commands'),
    },
    {
      what: 'processor time of the service for each, one client, median',
      figure: '≤ 2.5 ms',
      measured: `${median(cpuOfOne).toFixed(1)} ms`,
    },
    {
      what: `the same with ${clientCount} clients`,
      figure: '',
      measured: `${median(cpuOfMany).toFixed(1)} ms`,
    },
    {
      what: `${clientCount} clients against one`,
      figure: '≥ 6x',
      measured: times(many, 'one client'),
    },
    {
      what: `${clientCount} clients, p50 / p99`,
      figure: 'p99 ≤ 60 ms (quiet machine)',
      measured: `${median(latencies).toFixed(1)} / ${percentile(latencies, 0.99).toFixed(1)} ms`,
    },
    {
      what: 'answered → served at the edge, p50 / p99',
      figure: 'p99 ≤ 250 ms',
      measured: `${median(delays).toFixed(1)} / ${percentile(delays, 0.99).toFixed(1)} ms`,
    },
  ])
}

async function served(url: string, body: Uint8Array): Promise<boolean> {
  const response = await fetch(url)
  return Buffer.compare(await response.bytes(), body) === 0
}

async function timed(into: number[], work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await work()
  into.push(performance.now() - start)
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await work()
}

const rate = (count: number, work: () => Promise<unknown>): Promise<number> =>
  rateOf(count, () => repeat(count, work))

async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (count * 1000) / (performance.now() - start)
}

const times = (ratios: ReadonlyMap<string, number>, name: string): string =>
  `${(ratios.get(name) ?? Number.NaN).toFixed(2)}x`

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-put-'))
try {
  await main(directory)
} finally {
  await rm(directory, { recursive: true, force: true })
}
