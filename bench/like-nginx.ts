import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { freePort } from '../test/support/free-port.ts'

interface Options {
  readonly directory: string
  /** Paths and what is there. */
  readonly files: Readonly<Record<string, Uint8Array>>
  /** The brotli form of `b.css`. */
  readonly coded: Uint8Array
  /** What we send with an asset: nginx sends the same. */
  readonly headers: Headers
}

interface LikeNginx extends AsyncDisposable {
  readonly url: string
  readonly pid: number
}

/** What nginx makes by itself, or each server for each request. */
const ownFields = new Set([
  'content-type',
  'content-length',
  'etag',
  'last-modified',
  'date',
  'accept-ranges',
])

/** nginx with one worker, a buffered access log, and our fields in each of its answers. */
export async function startLikeNginx(options: Options): Promise<LikeNginx> {
  const { directory, files, coded, headers } = options
  const root = join(directory, 'www')
  for (const [path, bytes] of Object.entries({ ...files, 'coded/b.css': coded })) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await Bun.write(join(root, path), bytes)
  }
  const port = await freePort()
  const fields = [...headers]
    .filter(([name]) => !ownFields.has(name))
    .map(([name, value]) => `add_header ${name} ${JSON.stringify(value)};`)
  const configuration = join(directory, 'nginx.conf')
  await Bun.write(configuration, configurationOf({ directory, root, port, fields }))
  const child = Bun.spawn(['nginx', '-c', configuration, '-p', directory, '-g', 'daemon off;'], {
    stderr: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await Bun.sleep(20)
  return {
    url,
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill('SIGQUIT')
      await child.exited
    },
  }
}

interface Configured {
  readonly directory: string
  readonly root: string
  readonly port: number
  readonly fields: readonly string[]
}

/** Fields that a location adds take the place of those outside it, so that it has to say them again. */
const configurationOf = ({ directory, root, port, fields }: Configured): string => `
user root;
worker_processes 1;
pid ${directory}/nginx.pid;
error_log /dev/null;
events { worker_connections 1024; }
http {
  types { image/png png; text/css css; }
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  access_log ${directory}/access.log combined buffer=64k flush=5s;
  server {
    listen 127.0.0.1:${port};
    root ${root};
    ${fields.join('\n    ')}
    location /coded/ {
      add_header Content-Encoding br;
      ${fields.join('\n      ')}
    }
  }
}
`
