import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Client } from 'pg'

import { freePort } from './free-port.ts'
import { postgresBinaries } from './needs.ts'

/** A real PostgreSQL server. */
export interface DatabaseServer extends AsyncDisposable {
  readonly port: number
  /** Makes an empty database and answers its URL. */
  createDatabase(): Promise<string>
}

/** A server of the test's own; it dies with the test. */
export interface PostgresServer extends DatabaseServer {
  /** Kills the server as a power cut would, or lets it end its transactions, and starts it again. */
  restart(how: 'kill' | 'stop'): Promise<void>
  /** Ends it; nothing listens on its port until it is started. */
  stop(how: 'kill' | 'stop'): Promise<void>
  start(): Promise<void>
}

interface Options {
  /** Whether it flushes what it acknowledges; tests that do not restart it need not wait for that. */
  readonly flushes?: boolean
}

export async function startPostgres({ flushes = true }: Options = {}): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-postgres-'))
  const data = join(directory, 'data')
  await mkdir(data)
  for (const each of [directory, data]) await giveToServer(each)
  await run('initdb', ['-D', data, '-U', 'sedge', '--auth=trust', '--no-sync', '--no-instructions'])
  const port = await freePort()
  let server = await start({ data, port, flushes })
  const stop = async (how: 'kill' | 'stop') => {
    server.kill(how === 'kill' ? 'SIGQUIT' : 'SIGINT')
    await server.exited
  }
  return {
    ...databaseServerAt(port),
    stop,
    async start() {
      server = await start({ data, port, flushes })
    },
    async restart(how) {
      await stop(how)
      server = await start({ data, port, flushes })
    },
    async [Symbol.asyncDispose]() {
      await stop('kill')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A server that somebody else started, and will stop. */
export function databaseServerAt(port: number): DatabaseServer {
  const url = (name: string) => `postgres://sedge@127.0.0.1:${port}/${name}`
  return {
    port,
    async createDatabase() {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
      const client = new Client(url('postgres'))
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return url(name)
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

interface ServerPlace {
  readonly data: string
  readonly port: number
  readonly flushes: boolean
}

/** The server refuses to run as root; there the package's own user runs it. */
const isRoot = process.getuid?.() === 0
const asServer = isRoot ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : []

async function giveToServer(path: string): Promise<void> {
  if (!isRoot) return
  const id = async (flag: string) =>
    Number(await new Response(Bun.spawn(['id', flag, 'postgres']).stdout).text())
  await chown(path, await id('-u'), await id('-g'))
}

function spawn(program: string, parameters: readonly string[]) {
  const binary = join(postgresBinaries() ?? '', program)
  return Bun.spawn(['setpriv', ...asServer, '--pdeathsig', 'QUIT', binary, ...parameters], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
    cwd: '/',
  })
}

async function run(program: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(program, parameters)
  const said = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`${program}: ${said}`)
}

async function start({ data, port, flushes }: ServerPlace) {
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${join(data, '..')}`,
    `fsync=${flushes ? 'on' : 'off'}`,
    'shared_buffers=32MB',
    'max_connections=400',
  ]
  const server = spawn('postgres', ['-D', data, ...settings.flatMap((each) => ['-c', each])])
  let said = ''
  const lines = server.stderr.pipeThrough(new TextDecoderStream()).getReader()
  while (!said.includes('ready to accept connections')) {
    const { value, done } = await lines.read()
    if (done) throw new Error(`PostgreSQL did not start: ${said}`)
    said += value
  }
  void drain(lines)
  return server
}

async function drain(lines: ReadableStreamDefaultReader<string>): Promise<void> {
  while (!(await lines.read()).done);
}
