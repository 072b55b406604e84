/**
 * A zone of 100,000 files goes back to another state, through the whole service (HTTP, commit, catalogue,
 * feed, audit, all durable), and an edge elsewhere follows; how long others wait meanwhile.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../test/support/edge-process.ts'
import { type ImportedFile, importCommit } from '../test/support/import-commit.ts'
import { account, startService } from '../test/support/service-process.ts'
import { openStallProbe } from '../test/support/stall-probe.ts'
import { randomBytes } from './git-peers.ts'
import { asInProduction, median, report } from './harness.ts'
import { createRepository } from './many-files.ts'

const fileCount = Number(process.env['FILES'] ?? 100_000)
const rounds = Number(process.env['ROUNDS'] ?? 5)
const changedCounts = (process.env['CHANGED'] ?? '1000,100000').split(',').map(Number)
const fileBytes = 1024
const directories = 100

const pathOf = (index: number) => `acme/v1/library/${index % directories}/file-${index}.png`

/** Another state: the first so many files have other bytes. */
async function changeFiles(repository: string, count: number): Promise<string> {
  await importCommit({ repository, files: changedFiles(count) })
  return await headOf(repository)
}

function* changedFiles(count: number): Generator<ImportedFile> {
  for (let index = 0; index < count; index += 1)
    yield { path: `clients/${pathOf(index)}`, content: randomBytes(fileBytes) }
}

async function headOf(repository: string): Promise<string> {
  const child = Bun.spawn(['git', `--git-dir=${repository}`, 'rev-parse', 'main'])
  return (await new Response(child.stdout).text()).trim()
}

interface Measured {
  readonly restoreMs: readonly number[]
  readonly edgeMs: readonly number[]
  readonly stallMs: number
}

async function measure(directory: string, changed: number): Promise<Measured> {
  const dataDirectory = join(directory, `data-${changed}`)
  const repository = join(dataDirectory, 'repository.git')
  await (await startService({ dataDirectory })).stop()
  await createRepository(repository, { directory: 'library', fileCount, fileBytes })
  const states = [await headOf(repository), await changeFiles(repository, changed)] as const
  await using service = await startService({ dataDirectory, environment: asInProduction })
  await using edge = await startEdge({
    origin: service.url,
    token: await edgeTokenOf(service.url),
    name: 'bench',
    directory: join(directory, `edge-${changed}`),
    environment: asInProduction,
  })
  const restoreMs: number[] = []
  const edgeMs: number[] = []
  using probe = openStallProbe([`${service.url}/api/health`])
  let stallMs = 0
  for (let round = 0; round < rounds; round += 1) {
    const before = await tagOf(edge.url)
    stallMs = Math.max(
      stallMs,
      await probe.during(async () => {
        const start = performance.now()
        const response = await fetch(`${service.url}/api/core/zones/acme/restore`, {
          method: 'POST',
          headers: account,
          body: JSON.stringify({ Commit: states[round % 2] }),
        })
        const told = (await response.json()) as { readonly Changed?: number }
        restoreMs.push(performance.now() - start)
        if (told.Changed !== changed) throw new Error(`it said ${JSON.stringify(told)}`)
        const answered = performance.now()
        while ((await tagOf(edge.url)) === before) await Bun.sleep(5)
        edgeMs.push(performance.now() - answered)
      }),
    )
    console.log(
      `${changed} of ${fileCount}: ${restoreMs.at(-1)?.toFixed(0)} ms, edge ${edgeMs.at(-1)?.toFixed(0)} ms later, waited ${stallMs.toFixed(0)} ms`,
    )
  }
  return { restoreMs, edgeMs, stallMs }
}

/** Of the last file in the feed that changes. */
async function tagOf(url: string): Promise<string | null> {
  const response = await fetch(`${url}/${pathOf(0)}`, { method: 'HEAD' })
  return response.headers.get('etag')
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-restore-'))
try {
  const rows = []
  for (const changed of changedCounts) {
    const { restoreMs, edgeMs, stallMs } = await measure(directory, changed)
    const what = `a zone of ${fileCount} files back to another state, ${changed} of them otherwise`
    const [first = Number.NaN] = restoreMs
    rows.push(
      {
        what: `${what}, p50 (the first: ${seconds(first)})`,
        figure: '≤ 1 s',
        measured: seconds(median(restoreMs)),
      },
      {
        what: 'until an edge elsewhere shows it, p50',
        figure: '≤ 1 s later',
        measured: seconds(median(edgeMs)),
      },
      {
        what: 'longest wait of another request meanwhile',
        figure: '≤ 100 ms',
        measured: `${stallMs.toFixed(0)} ms`,
      },
    )
  }
  await report('restore', rows)
} finally {
  await rm(directory, { recursive: true })
}
