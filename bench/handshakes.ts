import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from 'node:tls'

import { SqlDomainStore } from '../src/adapters/sql/domains/sql-domain-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import { DiskCertificateStore } from '../src/adapters/disk/disk-certificate-store.ts'
import { makeCertificate } from '../test/support/certificates.ts'
import { startProgram, untilResponding } from '../test/support/child-program.ts'
import { freePorts } from '../test/support/free-port.ts'
import { startConnectionLoad } from '../test/support/connection-load.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { compare, type Contender, median, percentile, report, type Row } from './harness.ts'
import { cpuSeconds } from './process-usage.ts'

// Full TLS handshakes against nginx, what a thousand domains cost, and what changing certificates does.

const rounds = 5
const secondsPerRound = 3
const manyDomains = 1_000
const measuredHandshakes = 400
const changes = 100
const overTls = { tls: { rejectUnauthorized: false } }

await using directory = await temporaryDirectory()
const own = makeCertificate(directory.path, 'own', 'own.example')
const tls = { TLS_CERT_FILE: own.certificateFile, TLS_KEY_FILE: own.keyFile, LOG_LEVEL: 'error' }

/** Full handshakes that a server completes in a second of its processors' time. */
const handshakes = (
  name: string,
  { port, pids }: { port: number; pids: () => number[] },
): Contender => ({
  name,
  async run() {
    const used = async () =>
      (await Promise.all(pids().map(cpuSeconds))).reduce((sum, each) => sum + each, 0)
    const before = await used()
    const words = ['-connect', `127.0.0.1:${port}`, '-new', '-time', String(secondsPerRound)]
    const { stdout } = spawnSync('openssl', ['s_time', ...words], { encoding: 'utf8' })
    const count = Number(/(\d+) connections in \d+ real seconds/u.exec(stdout)?.[1])
    return count / ((await used()) - before)
  },
})

async function compareWithNginx(): Promise<Row> {
  await using service = await startService({
    dataDirectory: join(directory.path, 'one'),
    environment: tls,
  })
  const [port = 0] = freePorts(1)
  const file = join(directory.path, 'nginx.conf')
  const pidFile = join(directory.path, 'nginx.pid')
  await Bun.write(
    file,
    `daemon off; master_process off; pid ${pidFile}; error_log /dev/null; user root;
    events {} http { access_log off; server { listen 127.0.0.1:${port} ssl http2;
    ssl_certificate ${own.certificateFile}; ssl_certificate_key ${own.keyFile};
    ssl_protocols TLSv1.2 TLSv1.3; } }`,
  )
  await using _nginx = startProgram(['/usr/sbin/nginx', '-p', directory.path, '-c', file])
  await untilResponding(() => fetch(`https://127.0.0.1:${port}/`, overTls))
  const nginxPid = Number(await readFile(pidFile, 'utf8'))
  const ratios = await compare({
    title: 'full handshakes, P-256 (a CPU-second)',
    ours: handshakes('sedge', {
      port: Number(new URL(service.url).port),
      pids: () => [service.pid],
    }),
    peers: [handshakes('nginx', { port, pids: () => [nginxPid] })],
    rounds,
  })
  return {
    what: 'full handshakes per CPU-second against nginx, P-256',
    figure: '≥ 0.8x',
    measured: `${(ratios.get('nginx') ?? Number.NaN).toFixed(2)}x`,
  }
}

/** Milliseconds until the service is ready, and until each of many connections is. */
async function measureStart(dataDirectory: string) {
  const start = performance.now()
  await using service = await startService({ dataDirectory, environment: tls })
  const startMs = performance.now() - start
  const port = Number(new URL(service.url).port)
  const times: number[] = []
  for (let time = 0; time < measuredHandshakes; time += 1) {
    const began = performance.now()
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: `d${time}.example`,
      rejectUnauthorized: false,
    })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    socket.once('secureConnect', () => resolve()).once('error', reject)
    await promise
    times.push(performance.now() - began)
    socket.destroy()
  }
  return { startMs, p50Ms: median(times), p99Ms: percentile(times, 0.99) }
}

/** As the service keeps them, so that its next start finds them. */
async function addDomains(dataDirectory: string): Promise<void> {
  const store = await DiskCertificateStore.open({
    directory: join(dataDirectory, 'certificates'),
    onUnreadable: () => undefined,
  })
  await using database = await openSqliteDatabase({
    file: join(dataDirectory, 'sedge.db'),
    onFatal: () => undefined,
  })
  const domains = new SqlDomainStore(database)
  const at = new Date()
  const validUntil = new Date(at.getTime() + 90 * 86_400_000)
  for (let number = 0; number < manyDomains; number += 1) {
    const hostname = `d${number}.example`
    const made = makeCertificate(directory.path, 'made', hostname)
    const chain = await readFile(made.certificateFile, 'utf8')
    const key = await readFile(made.keyFile, 'utf8')
    await store.put({ hostname, chain, key, validFrom: at, validUntil })
    await domains.add(
      {
        hostname,
        zone: 'acme',
        sslStatus: 'active',
        sslError: undefined,
        redirectsToHttps: true,
        certificateExpiresAt: validUntil,
        nextCheckAt: validUntil,
        failures: 0,
        isProven: true,
        history: [],
        createdAt: at,
        updatedAt: at,
      },
      {
        feed: {
          at,
          event: 'domain.updated',
          zone: 'acme',
          path: undefined,
          commitId: undefined,
          data: {},
        },
      },
    )
  }
}

async function makeZone(dataDirectory: string): Promise<void> {
  await using service = await startService({ dataDirectory, environment: tls })
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}', ...overTls }
  await fetch(`${service.url}/api/core/zones`, zone)
  const file = { method: 'PUT', headers: access, body: 'x'.repeat(2_000), ...overTls }
  await fetch(`${service.url}/api/storage/acme/v1/a.txt`, file)
}

async function compareStarts(dataDirectory: string): Promise<readonly Row[]> {
  const few = await measureStart(dataDirectory)
  await addDomains(dataDirectory)
  const many = await measureStart(dataDirectory)
  const times = ({ p50Ms, p99Ms }: typeof few) =>
    `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  return [
    {
      what: `start with ${manyDomains} domains`,
      figure: '≤ 3 s',
      measured: `${(many.startMs / 1_000).toFixed(2)} s (${(few.startMs / 1_000).toFixed(2)} s with none)`,
    },
    {
      what: `handshakes with ${manyDomains} domains, one after another`,
      figure: 'p99 unchanged',
      measured: `${times(many)} (${times(few)} with none)`,
    },
  ]
}

/** All certificates are there from before: so each change is a listener with a thousand of them. */
async function changeUnderLoad(dataDirectory: string): Promise<Row> {
  const shown = {
    certificateFile: join(directory.path, 'shown.pem'),
    keyFile: join(directory.path, 'shown.key'),
  }
  const pairs = [own, makeCertificate(directory.path, 'next', 'next.example')]
  const put = async (number: number) => {
    const pair = pairs[number % pairs.length] ?? own
    await cp(pair.certificateFile, shown.certificateFile)
    await cp(pair.keyFile, shown.keyFile)
  }
  await put(0)
  await using service = await startService({
    dataDirectory,
    environment: { ...tls, TLS_CERT_FILE: shown.certificateFile, TLS_KEY_FILE: shown.keyFile },
  })
  const load = startConnectionLoad({
    url: `${service.url}/acme/v1/a.txt`,
    connecting: 8,
    staying: 4,
  })
  for (let change = 1; change <= changes; change += 1) {
    await put(change)
    process.kill(service.pid, 'SIGHUP')
    await Bun.sleep(250)
  }
  const { responses, failures } = await load.end()
  return {
    what: `requests that failed while certificates changed ${changes} times within ${(changes * 0.25).toFixed(0)} s, ${manyDomains} domains`,
    figure: '0',
    measured: `${failures.length} of ${responses + failures.length}`,
  }
}

const dataDirectory = join(directory.path, 'many')
await mkdir(dataDirectory, { recursive: true })
await makeZone(dataDirectory)
const rows = [await compareWithNginx(), ...(await compareStarts(dataDirectory))]
await report('handshakes', [...rows, await changeUnderLoad(dataDirectory)])
