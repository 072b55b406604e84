import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from './free-port.ts'
import { type LongTurns, noteLongTurns, turnLimitMs } from './long-turns.ts'
import { serviceCommand } from './service-command.ts'
import { storesElsewhere } from './stores-elsewhere.ts'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')

export const testKeys = {
  ACCESS_KEY: 'test-access-key-0123456789',
  ACCOUNT_KEY: 'test-account-key-0123456789',
  PURGE_KEY: 'test-purge-key-0123456789',
  ANALYTICS_KEY: 'test-analytics-key-0123456789',
  SIGNED_URL_SECRET: 'test-signed-url-secret-0123456789',
  SESSION_SECRET: 'test-session-secret-0123456789',
  DASHBOARD_PASSWORD: 'test-password-0123456789',
} as const

/** The headers that open each plane. */
export const access = { AccessKey: testKeys.ACCESS_KEY }
export const account = { AccountKey: testKeys.ACCOUNT_KEY, 'Content-Type': 'application/json' }

export interface ServiceProcess extends AsyncDisposable {
  readonly url: string
  readonly pid: number
  /** Turns of its loop that took too long, since it was ready. */
  readonly turns: LongTurns
  /** The exit code, once the process has ended. */
  readonly exited: Promise<number>
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number>
  /** SIGKILL of the process alone. */
  kill(): Promise<void>
}

/** A service that has not ended this long after it was told to is killed. */
const graceMs = 20_000

interface Options {
  readonly dataDirectory: string
  readonly environment?: Readonly<Record<string, string>>
  /** A program, with its options, that runs the service, e.g. `strace`. */
  readonly under?: readonly string[]
}

/** Says that each service of the tests is to be a node of a cluster that another node writes for. */
export const standbyName = 'TEST_STANDBY'

/** A real service in a process of its own, on a free port. */
export async function startService(options: Options): Promise<ServiceProcess> {
  if (process.env[standbyName] === undefined) return await startAlone(options)
  const { dataDirectory, environment } = options
  const nodeIn = async (directory: string): Promise<Options> => {
    const port = String(await freePort())
    const cluster = {
      PORT: port,
      CLUSTER_ADDRESS: `http://127.0.0.1:${port}`,
      WEBHOOK_SECRET_KEY: 'test-webhook-secret-key-0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
      ...(await storesElsewhere(dataDirectory)),
    }
    return { ...options, dataDirectory: directory, environment: { ...cluster, ...environment } }
  }
  const writer = await startAlone(await nodeIn(join(dataDirectory, 'writer')))
  const standby = await startAlone(await nodeIn(join(dataDirectory, 'standby-node')))
  return {
    ...standby,
    async stop() {
      const exitCode = await standby.stop()
      await writer.stop()
      return exitCode
    },
    async kill() {
      await Promise.all([standby.kill(), writer.kill()])
    },
    async [Symbol.asyncDispose]() {
      await standby[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
    },
  }
}

async function startAlone({
  dataDirectory,
  environment,
  under = [],
}: Options): Promise<ServiceProcess> {
  const child = Bun.spawn([...under, ...serviceCommand(), 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDirectory,
      PORT: '0',
      LOG_LEVEL: 'warn',
      CHECK_RESPONSES: 'true',
      TURN_LIMIT_MS: String(turnLimitMs),
      ...testKeys,
      // A model that each test loads anew takes seconds; tests of meaning ask for it.
      SEARCH_BY_NAME_ONLY: 'true',
      // Tests ask again and again until it is as they wait for.
      HEALTH_CHECKS_PER_MINUTE: '100000',
      // Nobody answers there: what names lead to is no business of most tests.
      DNS_SERVERS: '127.0.0.1:9',
      // What the machine lacks is no business of webhooks that tests listen with.
      NOTIFY_WEBHOOK_KINDS: 'none',
      ...(await storesElsewhere(dataDirectory)),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const turns = noteLongTurns(child.stderr)
  const url = await readyUrl(child.stdout)
  if (url === undefined)
    throw new Error(`the service ended with ${await child.exited} before it was ready`)
  return {
    url,
    pid: child.pid,
    turns,
    exited: child.exited,
    async stop() {
      child.kill('SIGTERM')
      const exitCode = await child.exited
      await turns.refuse()
      return exitCode
    },
    async kill() {
      child.kill('SIGKILL')
      await child.exited
      await turns.refuse()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const mercy = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await child.exited
      clearTimeout(mercy)
      await turns.refuse()
    },
  }
}

/** How a service ends that is not expected to start, and what it says on standard error. */
export async function endOfService({ dataDirectory, environment }: Options) {
  const child = Bun.spawn([process.execPath, '--no-orphans', cli, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dataDirectory,
      ...testKeys,
      SEARCH_BY_NAME_ONLY: 'true',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = await new Response(child.stderr).text()
  return { exitCode: await child.exited, said }
}

/** The URL in the line that says the service is ready; `undefined` where it ended before. */
async function readyUrl(output: ReadableStream<Uint8Array>): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  const reader = output.getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return undefined
    text += decoder.decode(value, { stream: true })
    const url = /ready at (https?:\S+)/u.exec(text)?.[1]
    if (url === undefined) continue
    void drain(reader)
    return url.replace(/\/$/u, '')
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string
}

export async function temporaryDirectory(): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), 'sedge-test-'))
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
