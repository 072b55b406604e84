import { join } from 'node:path'

import { temporaryDirectory } from './service-process.ts'

/** A git host on loopback: a bare repository behind `git http-backend`, for who has the password. */
export interface GitServer extends AsyncDisposable {
  /** Of the repository. */
  readonly url: string
  readonly port: number
  readonly directory: string
  /** The passwords that came, the right ones too. */
  readonly passwords: readonly string[]
}

interface Options {
  /** Without one, nobody is asked. */
  readonly password?: string
}

export async function openGitServer({ password }: Options = {}): Promise<GitServer> {
  await using opening = new AsyncDisposableStack()
  const root = opening.use(await temporaryDirectory()).path
  const directory = join(root, 'mirror.git')
  await run('init', '-q', '--bare', '--initial-branch=main', directory)
  await run('--git-dir', directory, 'config', 'http.receivepack', 'true')
  const passwords: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    maxRequestBodySize: 2 ** 30,
    async fetch(request) {
      const given = passwordOf(request)
      if (given !== undefined) passwords.push(given)
      if (password !== undefined && given !== password)
        return new Response('no', {
          status: 401,
          headers: { 'WWW-Authenticate': 'Basic realm="host"' },
        })
      return await runBackend(request, root)
    },
  })
  opening.defer(() => server.stop(true))
  const opened = opening.move()
  return {
    url: `${server.url.href}mirror.git`,
    port: server.port ?? 0,
    directory,
    passwords,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function passwordOf({ headers }: Request): string | undefined {
  const encoded = /^Basic (\S+)$/u.exec(headers.get('authorization') ?? '')?.[1]
  return encoded === undefined ? undefined : atob(encoded).replace(/^[^:]*:/u, '')
}

/** RFC 3875: the request in variables and standard input, the response with its headers on standard output. */
async function runBackend(request: Request, root: string): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const child = Bun.spawn(['git', 'http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers.get('content-type') ?? '',
      HTTP_CONTENT_ENCODING: request.headers.get('content-encoding') ?? '',
      HTTP_GIT_PROTOCOL: request.headers.get('git-protocol') ?? '',
      REMOTE_USER: 'somebody',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdin: await request.bytes(),
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const output = Buffer.from(await new Response(child.stdout).arrayBuffer())
  const end = output.indexOf('\r\n\r\n')
  const headers = new Headers()
  let status = 200
  for (const line of output.toString('latin1', 0, end).split('\r\n')) {
    const [name = '', value = ''] = line.split(/: (.*)/u)
    if (name === 'Status') status = Number.parseInt(value, 10)
    else headers.set(name, value)
  }
  return new Response(output.subarray(end + 4), { status, headers })
}

async function run(...args: readonly string[]): Promise<void> {
  const child = Bun.spawn(['git', ...args], { stdout: 'ignore', stderr: 'inherit' })
  if ((await child.exited) !== 0) throw new Error(`git ${args[0]} failed`)
}
