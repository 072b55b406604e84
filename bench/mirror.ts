/**
 * Durable PUTs into a repository of 50,000 files while it is mirrored to a bare repository on the same
 * disk, against the same service without a mirror and against one whose remote never answers. The
 * remote's own work (receiving, checking) is on this machine too, which it would not be elsewhere.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, type ServiceProcess, startService } from '../test/support/service-process.ts'
import { runGit } from '../test/support/git-client.ts'
import { createRepository, fileBytes, nextPath, randomBytes } from './git-peers.ts'
import { asInProduction, compare, percentile, report } from './harness.ts'

const rounds = Number(process.env['ROUNDS'] ?? 9)
const clientCount = 16
/** More than 500 a round, so that each has its pushes. */
const putsEach = 50

async function main(directory: string): Promise<void> {
  const remote = join(directory, 'remote.git')
  const template = join(directory, 'template.git')
  await runGit(directory, 'init', '-q', '--bare', '--initial-branch=main', remote)
  await createRepository(template)
  const silence = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const start = async (name: string, gitRemote: string) => {
    const dataDirectory = join(directory, name)
    await cp(template, join(dataDirectory, 'repository.git'), { recursive: true })
    return startService({
      dataDirectory,
      environment: { ...asInProduction, GIT_REMOTE: gitRemote },
    })
  }
  await using mirrored = await start('mirrored', remote)
  await using alone = await start('alone', '')
  await using hanging = await start('hanging', `http://127.0.0.1:${silence.port}/x.git`)
  await firstPush(remote)

  const latencies = { mirrored: [] as number[], alone: [] as number[], hanging: [] as number[] }
  const ratios = await compare({
    title: `${clientCount} clients PUT 10 KB (writes/s)`,
    ours: { name: 'mirrored', run: () => rateOf(mirrored, latencies.mirrored) },
    peers: [
      { name: 'no mirror', run: () => rateOf(alone, latencies.alone) },
      { name: 'a remote that hangs', run: () => rateOf(hanging, latencies.hanging) },
    ],
    rounds,
  })
  const ratio = (name: string) => ratios.get(name) ?? Number.NaN
  const hangingRatio = ratio('no mirror') / ratio('a remote that hangs')
  const written = rounds * clientCount * putsEach
  await mirrored.stop()
  const pushed = Number(await runGit(remote, 'rev-list', '--count', '--first-parent', 'main'))
  const here = join(directory, 'mirrored', 'repository.git')
  const made = Number(await runGit(here, 'rev-list', '--count', '--first-parent', 'main'))
  silence.stop(true)

  const p = (values: readonly number[]) =>
    [0.5, 0.99].map((fraction) => percentile(values, fraction).toFixed(0)).join(' / ')
  await report('mirror', [
    {
      what: `writes a second while everything is pushed, against no mirror (${written} PUTs each)`,
      figure: 'pushes do not block writes',
      measured: `${ratio('no mirror').toFixed(2)}x`,
    },
    {
      what: 'writes a second while the remote hangs, against no mirror',
      figure: '1.0x, as far as the machine can tell',
      measured: `${hangingRatio.toFixed(2)}x`,
    },
    {
      what: 'p50 / p99 of a PUT, mirrored',
      figure: '',
      measured: `${p(latencies.mirrored)} ms`,
    },
    { what: 'p50 / p99 of a PUT, no mirror', figure: '', measured: `${p(latencies.alone)} ms` },
    {
      what: 'p50 / p99 of a PUT, the remote hangs',
      figure: '',
      measured: `${p(latencies.hanging)} ms`,
    },
    {
      what: 'commits at the remote after the stop, of those made',
      figure: 'all',
      measured: `${pushed} of ${made}`,
    },
  ])
}

async function firstPush(remote: string): Promise<void> {
  while ((await runGit(remote, 'for-each-ref')) === '') await Bun.sleep(100)
}

async function rateOf(service: ServiceProcess, latencies: number[]): Promise<number> {
  const start = performance.now()
  await Promise.all(
    Array.from({ length: clientCount }, async () => {
      for (let index = 0; index < putsEach; index += 1) {
        const began = performance.now()
        await put(service)
        latencies.push(performance.now() - began)
      }
    }),
  )
  return (clientCount * putsEach * 1000) / (performance.now() - start)
}

async function put({ url }: ServiceProcess): Promise<void> {
  const address = `${url}/api/storage/${nextPath()}`
  const body = randomBytes(fileBytes)
  const response = await fetch(address, { method: 'PUT', headers: access, body })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`PUT was answered ${response.status}`)
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-mirror-'))
try {
  await main(directory)
} finally {
  await rm(directory, { recursive: true, force: true })
}
