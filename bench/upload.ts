/**
 * A thousand icons from the command line (`sedge sync`, its start included) into a zone of a real
 * service, against the same files sent by PUT, one a request, eight at once. Then 20,000 of them, and what the
 * service takes of processor and memory for it.
 */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { mapConcurrently } from '../src/lib/async/map-concurrently.ts'
import { sedge } from '../test/support/sedge-command.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, compare, median, report } from './harness.ts'
import { lucideIcons } from './lucide.ts'
import { cpuSeconds, peakGrowth } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const iconCount = 1000
const manyCount = 20_000

async function copyIcons(directory: string): Promise<readonly string[]> {
  const names = (await readdir(lucideIcons)).filter((name) => name.endsWith('.svg')).toSorted()
  const chosen = names.slice(0, iconCount)
  await mkdir(directory, { recursive: true })
  for (const name of chosen) await cp(join(lucideIcons, name), join(directory, name))
  return chosen
}

await using directory = await temporaryDirectory()
const icons = join(directory.path, 'icons')
const names = await copyIcons(icons)
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: asInProduction,
})
await fetch(`${service.url}/api/core/zones`, {
  method: 'POST',
  headers: account,
  body: '{"Name":"bench"}',
})
const environment = { XDG_CONFIG_HOME: directory.path, SEDGE_URL: service.url }

async function timed(work: () => Promise<void>, count = iconCount): Promise<number> {
  const start = performance.now()
  await work()
  return count / ((performance.now() - start) / 1000)
}

async function sync(target: string, wanted: string, from = icons): Promise<void> {
  const { out, error, exitCode } = await sedge(['sync', from, target], environment)
  if (exitCode !== 0 || !out.includes(wanted)) throw new Error(`sync failed: ${out}${error}`)
}

const again: number[] = []
const first: number[] = []
const ratios = await compare({
  title: `${iconCount} icons (files/s)`,
  ours: {
    name: 'sedge sync',
    async run(round) {
      const target = `bench/v1/icons/sync-${round}`
      const rate = await timed(() => sync(target, `${iconCount} new`))
      first.push(rate)
      again.push(await timed(() => sync(target, `${iconCount} unchanged`)))
      return rate
    },
  },
  peers: [
    {
      name: 'PUT, eight at once',
      run: (round) =>
        timed(async () => {
          await mapConcurrently(names, 8, async (name) => {
            const url = `${service.url}/api/storage/bench/v1/icons/put-${round}/${name}`
            const body = Bun.file(join(icons, name))
            const response = await fetch(url, { method: 'PUT', headers: access, body })
            await response.arrayBuffer()
            if (response.status !== 201) throw new Error(`PUT was answered ${response.status}`)
          })
        }),
    },
  ],
  rounds,
})

/** Each another file, by a comment. */
async function makeMany(into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  const texts = await Promise.all(names.map((name) => readFile(join(icons, name), 'utf8')))
  for (let place = 0; place < manyCount; place += 1) {
    const text = texts[place % texts.length] ?? ''
    await writeFile(join(into, `${place}.svg`), `${text}<!-- ${place} -->`)
  }
}

const many = join(directory.path, 'many')
await makeMany(many)
const before = await cpuSeconds(service.pid)
let manyRate = 0
const growth = await peakGrowth(service.pid, async () => {
  manyRate = await timed(() => sync('bench/v1/many', `${manyCount} new`, many), manyCount)
})
const cpuMs = ((await cpuSeconds(service.pid)) - before) * 1000

await report('upload', [
  {
    what: `\`sedge sync\` of ${manyCount} new icons, its start included`,
    figure: '≥ 3,000 files/s',
    measured: `${manyRate.toFixed(0)} files/s, ${(cpuMs / manyCount).toFixed(2)} ms of processor time a file in the service`,
  },
  {
    what: 'memory of the service while they come in',
    figure: '≤ +100 MB',
    measured: `+${(growth / 2 ** 20).toFixed(0)} MB at its peak`,
  },
  {
    what: `\`sedge sync\` of ${iconCount} new icons, median of ${rounds} rounds, its start included`,
    figure: '≥ 1,500 files/s',
    measured: `${median(first).toFixed(0)} files/s (${(iconCount / median(first)).toFixed(2)} s)`,
  },
  {
    what: 'against PUT, eight at once, in the same run',
    figure: '> 1x',
    measured: `${ratios.get('PUT, eight at once')?.toFixed(2)}x`,
  },
  {
    what: 'the same again, nothing changed',
    figure: '—',
    measured: `${median(again).toFixed(0)} files/s (${(iconCount / median(again)).toFixed(2)} s)`,
  },
])
