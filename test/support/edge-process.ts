import { type LongTurns, noteLongTurns, turnLimitMs } from './long-turns.ts'
import { serviceCommand } from './service-command.ts'
import { account, testKeys } from './service-process.ts'

export interface EdgeProcess extends AsyncDisposable {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Turns of its loop that took too long, since it was ready. */
  readonly turns: LongTurns
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number>
  /** SIGKILL of the process alone. */
  kill(): Promise<void>
}

interface Options {
  readonly origin: string
  readonly token: string
  readonly name: string
  readonly directory: string
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

const graceMs = 20_000

/** A real edge in a process of its own, on a free port. */
export async function startEdge(options: Options): Promise<EdgeProcess> {
  const { origin, token, name, directory, args = [], environment } = options
  const words = ['--origin', origin, '--name', name, '--port', '0', '--cache-dir', directory]
  const child = Bun.spawn([...serviceCommand(), 'edge', ...words, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      EDGE_TOKEN: token,
      SIGNED_URL_SECRET: testKeys.SIGNED_URL_SECRET,
      LOG_LEVEL: 'warn',
      CHECK_RESPONSES: 'true',
      TURN_LIMIT_MS: String(turnLimitMs),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const turns = noteLongTurns(child.stderr)
  const url = await readyUrl(child.stdout)
  if (url === undefined)
    throw new Error(`the edge ended with ${await child.exited} before it was ready`)
  return {
    name,
    url,
    pid: child.pid,
    turns,
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

/** A token for being an edge of a service. */
export async function edgeTokenOf(serviceUrl: string, overTls: RequestInit = {}): Promise<string> {
  const response = await fetch(`${serviceUrl}/api/tokens`, {
    ...overTls,
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'edges', scopes: ['edges:sync'] }),
  })
  if (response.status !== 201) throw new Error(`no token: ${await response.text()}`)
  return ((await response.json()) as { token: string }).token
}
