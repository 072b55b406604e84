/**
 * What the access log takes of delivery: hot files of 10 KB over the service's listener, requests per CPU-second of
 * all its processes, with the access log in a directory and without, in turn. Once as it is set by itself, where so
 * many lines a second are kept at most, and once with a line for every request. The time in which lines are
 * written and compressed is counted. `ROUNDS` says how often each is measured, `ONLY` which.
 */
import { join } from 'node:path'

import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, compare, type Contender, report, type Row } from './harness.ts'
import { sendAll } from './keep-alive-load.ts'
import { exactCpuSecondsOfTree } from './process-usage.ts'

const requests = Number(process.env['REQUESTS'] ?? 40_000)
const rounds = Number(process.env['ROUNDS'] ?? 5)
/** After the last response: lines are handed on every half second, and files are closed every five seconds. */
const settleMs = 5_500
const only = process.env['ONLY']
const path = '/bench/v1/icons/a.png'

await using directory = await temporaryDirectory()
const everyLine = { REQUEST_LOG_PER_SECOND: '100000' }
const kept = (name: string) => ({
  ACCESS_LOG_TO: join(directory.path, `${name}-lines`),
  ACCESS_LOG_EVERY_SECONDS: '5',
})

const rows: Row[] = []
for (const [what, standard] of [
  ['with at most 1,000 lines a second, as it is by itself', {}],
  ['with a line for each request', everyLine],
] as const) {
  if (only !== undefined && !what.includes(only)) continue
  await using off = await start(`${rows.length}-off`, standard)
  await using on = await start(`${rows.length}-on`, { ...standard, ...kept(`${rows.length}`) })
  await using combined = await start(`${rows.length}-combined`, {
    ...standard,
    ...kept(`${rows.length}-combined`),
    ACCESS_LOG_FORMAT: 'combined',
  })
  const ratios = await compare({
    title: `hot 10 KB ${what} (requests per CPU-second)`,
    ours: contender('without an access log', off),
    peers: [contender('as json', on), contender('combined', combined)],
    rounds,
  })
  for (const name of ['as json', 'combined'])
    rows.push({
      what: `cost of the access log ${name}, ${what}`,
      figure: '≤ 10 %',
      measured: `${((1 - 1 / (ratios.get(name) ?? Number.NaN)) * 100).toFixed(1)} %`,
    })
}
if (only === undefined) await report('access-log', rows)
else console.table(rows)

async function start(name: string, environment: Readonly<Record<string, string>>) {
  const service = await startService({
    dataDirectory: join(directory.path, name),
    environment: { ...asInProduction, IDLE_WORK: 'none', ...environment },
  })
  await send(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"bench"}',
  })
  const body = crypto.getRandomValues(new Uint8Array(10 * 1024))
  await send(`${service.url}/api/storage${path}`, { method: 'PUT', headers: access, body })
  for (let time = 0; time < 4; time += 1) await (await fetch(service.url + path)).bytes()
  return service
}

function contender(
  name: string,
  service: { readonly url: string; readonly pid: number },
): Contender {
  const load = { url: new URL(service.url), path, status: 200, requests, connections: 64 }
  return {
    name,
    async run(round) {
      if (round === 0) {
        await sendAll(load)
        await Bun.sleep(settleMs)
      }
      const before = await exactCpuSecondsOfTree(service.pid)
      await sendAll(load)
      await Bun.sleep(settleMs)
      return requests / ((await exactCpuSecondsOfTree(service.pid)) - before)
    },
  }
}

async function send(url: string, init: RequestInit): Promise<void> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
}
