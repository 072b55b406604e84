/**
 * What another process on the port is worth: requests a second for a hot 10 KB asset with no edge
 * worker and with one. The load generator runs on the same machine, so with as few processors as
 * processes it takes part of what it measures; its share is printed too, and the rate for each
 * CPU-second of all the service's processes shows whether sharing the port costs anything.
 */
import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'

import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { connectToEach, workersOf } from '../test/support/shared-port.ts'
import { compare, median, report } from './harness.ts'
import { cpuSeconds } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const seconds = Number(process.env['SECONDS_A_ROUND'] ?? 4)
const connections = 64
const path = '/bench/v1/icons/ten.bin'

interface Measured {
  readonly perSecond: number
  readonly perCpuSecond: number
  readonly processorsUsed: number
}

async function openWith(workerCount: number, dataDirectory: string): Promise<ServiceProcess> {
  const service = await startService({
    dataDirectory,
    environment: { EDGE_WORKERS: String(workerCount), LOG_LEVEL: 'error' },
  })
  const zone = { method: 'POST', headers: account, body: '{"Name":"bench"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).arrayBuffer()
  const body = crypto.getRandomValues(new Uint8Array(10_240))
  const put = { method: 'PUT', headers: access, body }
  await (await fetch(`${service.url}/api/storage${path}`, put)).arrayBuffer()
  for (const connection of (await connectToEach(service, workerCount)).values())
    connection[Symbol.dispose]()
  return service
}

async function load(service: ServiceProcess, pids: readonly number[]): Promise<Measured> {
  const cpu = async () => {
    const all = await Promise.all(pids.map((pid) => cpuSeconds(pid)))
    return all.reduce((sum, each) => sum + each, 0)
  }
  const before = await cpu()
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, `${service.url}${path}`]
  const child = Bun.spawn(['wrk', ...words], { stdout: 'pipe' })
  const text = await new Response(child.stdout).text()
  const used = (await cpu()) - before
  const requests = Number(/(\d+) requests in/u.exec(text)?.[1])
  if (/Non-2xx/u.test(text) || !(requests > 0)) throw new Error(text)
  return {
    perSecond: requests / seconds,
    perCpuSecond: requests / used,
    processorsUsed: used / seconds,
  }
}

async function main(): Promise<void> {
  if (spawnSync('wrk', ['-v']).error !== undefined) {
    console.log('skipped: needs wrk (apt-get install wrk)')
    return
  }
  await using one = await temporaryDirectory()
  await using two = await temporaryDirectory()
  await using alone = await openWith(0, one.path)
  await using shared = await openWith(1, two.path)
  const sharedPids = [shared.pid, ...(await workersOf(shared.pid))]
  const measured = { alone: [] as Measured[], shared: [] as Measured[] }
  const measure = async (name: keyof typeof measured): Promise<number> => {
    const result = await (name === 'alone' ? load(alone, [alone.pid]) : load(shared, sharedPids))
    measured[name].push(result)
    return result.perSecond
  }
  const ratios = await compare({
    title: `10 KB asset, hot, ${connections} connections (requests/s)`,
    ours: { name: 'with one edge worker', run: () => measure('shared') },
    peers: [{ name: 'without', run: () => measure('alone') }],
    rounds,
  })
  const of = (name: keyof typeof measured, what: keyof Measured) =>
    median(measured[name].map((each) => each[what]))
  const perCpu = of('shared', 'perCpuSecond') / of('alone', 'perCpuSecond')
  const processors = (name: keyof typeof measured) => of(name, 'processorsUsed').toFixed(2)
  await report('edge-workers', [
    {
      what: `requests/s with one worker against none, ${cpus().length} processors, load generator on them too`,
      figure: '≥ 1.8x on a quiet machine',
      measured: `${(ratios.get('without') ?? Number.NaN).toFixed(2)}x (${processors('shared')} against ${processors('alone')} processors used; load average ${loadavg()[0]?.toFixed(1)})`,
    },
    {
      what: 'requests per CPU-second of all processes of the service',
      figure: '≥ 0.95x',
      measured: `${perCpu.toFixed(2)}x`,
    },
  ])
}

await main()
