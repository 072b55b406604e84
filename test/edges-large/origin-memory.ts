import { residentBytes } from '../../bench/process-usage.ts'
import { edgeTokenOf } from '../support/edge-process.ts'
import { openFeedListeners } from '../support/feed-listeners.ts'
import { access, account, startService } from '../support/service-process.ts'
import { until } from '../support/until.ts'

export interface OriginMemory {
  /** For each connection that reads, of the resident memory of the service. */
  readonly readingBytes: number
  /** For each of all, once those that do not read have so much to read. */
  readonly withSlowBytes: number
  readonly waitingBytes: number
}

interface Options {
  readonly directory: string
  readonly edges: number
  /** Of these, so many ask for the feed and do not read it. */
  readonly slow: number
  /** Batches before any connection: what a service comes to hold for its writes is no edge's. */
  readonly warmBatches: number
  readonly batches: number
}

const filesInBatch = 50
const environment = { CHECK_RESPONSES: 'false', IDLE_WORK: 'none', LOG_LEVEL: 'error' }

/** What a real service holds for edges that are connected to it, over real sockets. Linux alone. */
export async function measureOriginMemory(options: Options): Promise<OriginMemory> {
  const { directory, edges, slow, warmBatches, batches } = options
  await using service = await startService({ dataDirectory: directory, environment })
  const zone = { method: 'POST', headers: account, body: '{"Name":"large"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).arrayBuffer()
  const token = await edgeTokenOf(service.url)
  for (let batch = 0; batch < warmBatches; batch += 1) await publishBatch(service.url, batch)
  const since = await positionOf(service.url, token)
  const before = await settledBytes(service.pid)

  using reading = await openFeedListeners(service.url, { count: edges - slow, since, token })
  const url = new URL(service.url)
  using _slow = await openSilent(url, { count: slow, since, token })
  await publishBatch(service.url, 0)
  await until(() => reading.heard(seqOf(since) + 1) === edges - slow)
  const connected = await settledBytes(service.pid)
  let waitingBytes = 0
  let end = await positionOf(service.url, token)
  for (let batch = 0; batch < batches; batch += 1) {
    await publishBatch(service.url, batch + 1)
    waitingBytes += await changeBytes(service.url, { since: end, token })
    end = await positionOf(service.url, token)
  }
  await until(() => reading.heard(seqOf(end)) === edges - slow)
  const filled = await settledBytes(service.pid)
  return {
    readingBytes: (connected - before) / edges,
    withSlowBytes: (filled - before) / edges,
    waitingBytes,
  }
}

async function publishBatch(url: string, number: number): Promise<void> {
  const files = Array.from({ length: filesInBatch }, (_, place) => ({
    path: `large/v1/texts/${place}.txt`,
    content: `${number} ${place}`,
    encoding: 'utf-8',
  }))
  const response = await fetch(`${url}/api/storage/batch`, {
    method: 'POST',
    headers: access,
    body: JSON.stringify({ files }),
  })
  if (response.status !== 201) throw new Error(`a batch was answered ${response.status}`)
  await response.arrayBuffer()
}

/** How long the message is that leads from there to now. */
async function changeBytes(
  url: string,
  { since, token }: { readonly since: string; readonly token: string },
): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/edges/changes?since=${since}`, { headers })
  return (await response.arrayBuffer()).byteLength
}

async function positionOf(url: string, token: string): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/edges/manifest`, { headers })
  return ((await response.json()) as { Position: string }).Position
}

const seqOf = (position: string): number => Number(position.split('.')[0])

/** The least of some seconds: what the next collection takes away is nobody's. */
async function settledBytes(pid: number): Promise<number> {
  let least = Infinity
  for (let look = 0; look < 10; look += 1) {
    await Bun.sleep(500)
    least = Math.min(least, await residentBytes(pid))
  }
  return least
}

interface Silent {
  readonly count: number
  readonly since: string
  readonly token: string
}

/** Connections that ask for the feed and never read. */
async function openSilent(url: URL, { count, since, token }: Silent): Promise<Disposable> {
  const lines = [
    `GET /api/edges/feed?since=${since} HTTP/1.1`,
    `Host: ${url.host}`,
    `Authorization: Bearer ${token}`,
  ]
  const sockets = await Promise.all(
    Array.from({ length: count }, () =>
      Bun.connect({
        hostname: url.hostname,
        port: Number(url.port),
        socket: {
          open(socket) {
            socket.pause()
            socket.write(`${lines.join('\r\n')}\r\n\r\n`)
          },
          data(socket) {
            socket.pause()
          },
        },
      }),
    ),
  )
  return {
    [Symbol.dispose]() {
      for (const socket of sockets) socket.terminate()
    },
  }
}
