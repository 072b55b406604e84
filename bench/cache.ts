import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpCache } from '../src/edge/cache/http-cache.ts'
import { MemoryStore } from '../src/edge/cache/store/memory-store.ts'
import { createPurgeGenerations } from '../src/edge/purge/purge-generations.ts'
import { compare, median, report, type Contender, type Row } from './harness.ts'

/**
 * What purging costs, and what a hit costs the server beside nginx with proxy_cache. Without nginx
 * (apt install nginx-light) only the first half is measured.
 */
const bodyBytes = 10_240
const requestsPerRound = 30_000
const connections = 32
const rounds = 9

const rows: Row[] = [...(await measurePurge()), ...(await measureHits())]
await report('cache', rows)

async function measurePurge(): Promise<Row[]> {
  const measured: Row[] = []
  for (const count of [1000, 10_000, 100_000]) {
    const { cache, generations } = await filledCache(count)
    const times: number[] = []
    for (let round = 0; round < 21; round += 1) {
      const start = performance.now()
      generations.purge({ tags: ['all-assets'] })
      times.push(performance.now() - start)
    }
    const after = await cache.fetch(new Request('http://bench.test/asset/7'))
    const isFresh = (after.headers.get('cache-status') ?? '').includes('fwd=uri-miss')
    measured.push({
      what: `purge of a tag on ${count.toLocaleString('en-US')} objects; the next answer is fresh`,
      figure: '≤ 5 ms, independent of the count',
      measured: `median ${(median(times) * 1000).toFixed(1)} µs, worst ${(Math.max(...times) * 1000).toFixed(1)} µs; ${isFresh ? 'fresh' : 'STALE'}`,
    })
  }
  return measured
}

async function filledCache(count: number) {
  const generations = createPurgeGenerations()
  const headers = { 'cache-control': 'max-age=3600', 'cache-tag': 'all-assets,zone-bench' }
  const cache = createHttpCache({
    store: new MemoryStore({ maxBytes: 2 ** 30, maxVariants: 32 }),
    generations,
    fetchOrigin: async () => new Response('x', { headers }),
    now: Date.now,
  })
  for (let index = 0; index < count; index += 1)
    await cache.fetch(new Request(`http://bench.test/asset/${index}`))
  return { cache, generations }
}

async function measureHits(): Promise<Row[]> {
  const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx')
  if (nginx === null) {
    console.log('skipped: hits beside nginx, which is not installed (apt install nginx-light)')
    return []
  }
  const origin = serveOrigin()
  const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-cache-'))
  try {
    await using peer = await startNginx(nginx, directory, origin.port ?? 0)
    await using ours = await startSedge(origin.port ?? 0)
    const cases = [
      { what: '10 KB hit', extra: '' },
      { what: '304 by If-None-Match', extra: 'If-None-Match: "bench"\r\n' },
      { what: '1 KB range of a hit', extra: 'Range: bytes=100-1123\r\n' },
    ]
    const measured: Row[] = []
    for (const { what, extra } of cases) {
      const ratios = await compare({
        title: `${what} (requests per CPU-second of the server)`,
        ours: contender('sedge edge', ours, extra),
        peers: [contender('nginx proxy_cache', peer, extra)],
        rounds,
      })
      const ratio = ratios.get('nginx proxy_cache') ?? Number.NaN
      measured.push({
        what,
        figure: '(against nginx proxy_cache)',
        measured: `${ratio.toFixed(2)}x`,
      })
    }
    return measured
  } finally {
    await origin.stop(true)
    await rm(directory, { recursive: true, force: true })
  }
}

function serveOrigin() {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(new Uint8Array(bodyBytes).fill(120), {
        headers: {
          'Content-Type': 'image/png',
          'Cache-Control': 'public, max-age=86400',
          ETag: '"bench"',
          'Last-Modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
          'X-Content-Type-Options': 'nosniff',
        },
      }),
  })
}

interface Listener extends AsyncDisposable {
  readonly pid: number
  readonly port: number
}

/** A child that ends with its listener, or at once where it never answers. */
async function listenerOf(child: Bun.Subprocess, port: number): Promise<Listener> {
  const end = async () => {
    child.kill()
    await child.exited
  }
  await answering(port).catch(async (error: unknown) => {
    await end()
    throw error
  })
  return { pid: child.pid, port, [Symbol.asyncDispose]: end }
}

async function startNginx(program: string, directory: string, origin: number): Promise<Listener> {
  const port = await freePort()
  // Started by root, workers would be somebody who may not write here.
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const conf = `${user} daemon off; worker_processes 1; pid ${directory}/pid; error_log ${directory}/error;
events { worker_connections 1024; }
http {
  access_log ${directory}/access.log combined buffer=64k flush=1s;
  sendfile on; tcp_nopush on; keepalive_requests 1000000;
  proxy_cache_path ${directory}/cache keys_zone=bench:10m;
  client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://127.0.0.1:${origin};
      proxy_cache bench; proxy_cache_lock on; proxy_cache_revalidate on;
      add_header X-Cache-Status $upstream_cache_status;
    }
  }
}`
  await Bun.write(`${directory}/nginx.conf`, conf)
  const child = Bun.spawn([program, '-c', `${directory}/nginx.conf`, '-e', `${directory}/error`], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return listenerOf(child, port)
}

async function startSedge(origin: number): Promise<Listener> {
  const script = new URL('cache-server.ts', import.meta.url).pathname
  const child = Bun.spawn(
    [process.execPath, script, '--origin', `http://127.0.0.1:${origin}`, '--port', '0'],
    { stdout: 'pipe', stderr: 'inherit' },
  )
  const reader = child.stdout.getReader()
  const port = Number(new TextDecoder().decode((await reader.read()).value))
  return listenerOf(child, port)
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/asset`).catch(() => undefined)
    if (response?.status === 200) return void (await response.bytes())
    await Bun.sleep(25)
  }
  throw new Error(`Nothing answers on port ${port}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

function contender(name: string, { pid, port }: Listener, extra: string): Contender {
  return {
    name,
    async run() {
      const before = cpuSeconds(pid)
      await Promise.all(
        Array.from({ length: connections }, () =>
          askInTurn(port, extra, Math.ceil(requestsPerRound / connections)),
        ),
      )
      return requestsPerRound / (cpuSeconds(pid) - before)
    },
  }
}

/** One connection, one request at a time. */
async function askInTurn(port: number, extra: string, count: number): Promise<void> {
  const request = `GET /asset HTTP/1.1\r\nHost: bench.test\r\nAccept: */*\r\nUser-Agent: bench\r\n${extra}\r\n`
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let left = count
  let missing = 0
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(connection, chunk) {
        if (missing > 0) missing -= chunk.length
        else missing = bytesAfterHead(chunk)
        if (missing > 0) return
        left -= 1
        if (left === 0) {
          connection.end()
          resolve()
        } else connection.write(request)
      },
      close: () => (left === 0 ? resolve() : reject(new Error('The server closed early'))),
    },
  })
  socket.write(request)
  await promise
}

/** How many bytes of the response that begins with `chunk` are still to come. */
function bytesAfterHead(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n')
  const text = chunk.toString('latin1', 0, head)
  if (text.startsWith('HTTP/1.1 304')) return 0
  const length = Number(/content-length: (\d+)/iu.exec(text)?.[1])
  return head + 4 + length - chunk.length
}

/** CPU time of a process, its threads and its children. */
function cpuSeconds(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  const own = tasks.reduce((sum, task) => {
    const [nanoseconds = '0'] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(
      ' ',
    )
    return sum + Number(nanoseconds) / 1e9
  }, 0)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === ''
    ? own
    : own + children.split(' ').reduce((sum, child) => sum + cpuSeconds(Number(child)), 0)
}
