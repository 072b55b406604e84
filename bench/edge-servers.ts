import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type { BenchObjects } from './edge-objects.ts'

/** A server under load, and the processes whose time counts as its own. */
export interface BenchServer extends AsyncDisposable {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** User and system time of the server so far, in seconds. */
  cpuSeconds(): number
}

const ticksPerSecond = 100

interface EdgeOptions {
  /** For what is at hand; then the hot line is in front. */
  readonly memoryBytes?: number
  /** The directory of another version. */
  readonly of?: string
}

export async function startEdge(
  { directory }: BenchObjects,
  { memoryBytes, of }: EdgeOptions = {},
): Promise<BenchServer> {
  const program = join(of ?? join(import.meta.dir, '..'), 'bench', 'edge-server.ts')
  const room = memoryBytes === undefined ? [] : [String(memoryBytes)]
  const child = Bun.spawn([process.execPath, program, directory, '0', ...room], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  return {
    name: of === undefined ? 'Sedge edge' : 'the other version',
    port,
    pid: child.pid,
    cpuSeconds: () => cpuSecondsOf([child.pid]),
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

/** nginx with one worker and a buffered access log; `isTuned` keeps files open between requests. */
export async function startNginx(
  { directory, webRoot }: BenchObjects,
  { port, isTuned }: { readonly port: number; readonly isTuned: boolean },
): Promise<BenchServer> {
  const configuration = join(directory, `nginx-${port}.conf`)
  writeFileSync(configuration, nginxConfiguration({ directory, webRoot, port, isTuned }))
  const child = Bun.spawn(['nginx', '-c', configuration, '-p', directory, '-g', 'daemon off;'], {
    stderr: 'ignore',
  })
  while (!(await responses(port))) await Bun.sleep(20)
  return {
    name: isTuned ? 'nginx, open_file_cache on' : 'nginx',
    port,
    pid: child.pid,
    cpuSeconds: () => cpuSecondsOf([child.pid, ...childrenOf(child.pid)]),
    async [Symbol.asyncDispose]() {
      child.kill('SIGQUIT')
      await child.exited
    },
  }
}

const responses = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`).then(
    () => true,
    () => false,
  )

interface NginxOptions {
  readonly directory: string
  readonly webRoot: string
  readonly port: number
  readonly isTuned: boolean
}

/** The header fields are those the edge sends, so that both write as much. */
const nginxConfiguration = ({ directory, webRoot, port, isTuned }: NginxOptions): string => `
user root;
worker_processes 1;
pid ${directory}/nginx-${port}.pid;
error_log /dev/null;
events { worker_connections 1024; }
http {
  types { image/png png; text/css css; }
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  access_log ${directory}/access-${port}.log combined buffer=64k flush=5s;
  ${isTuned ? 'open_file_cache max=12000 inactive=60s; open_file_cache_valid 30s;' : ''}
  server {
    listen 127.0.0.1:${port};
    root ${webRoot};
    add_header Cache-Control "public, max-age=60, stale-while-revalidate=600";
    add_header X-Content-Type-Options nosniff;
    add_header Access-Control-Allow-Origin *;
    add_header Cross-Origin-Resource-Policy cross-origin;
    add_header Access-Control-Expose-Headers "ETag, Content-Range, Content-Encoding, Repr-Digest, Cache-Status, Server-Timing, X-Request-ID";
    add_header Timing-Allow-Origin *;
    add_header Server-Timing "cache;desc=HIT";
    add_header Cache-Tag "zone-bench,project-bench,category-icons,type-icons,format-png,asset-000000000000,all-assets";
    add_header Surrogate-Key "zone-bench project-bench category-icons type-icons format-png asset-000000000000 all-assets";
    add_header Cache-Status "nginx; hit";
    location /coded/ { add_header Content-Encoding br; add_header Vary Accept-Encoding; }
  }
}
`

function cpuSecondsOf(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1')
      .split(' ')
      .filter((text) => text !== '')
      .map(Number),
  )
