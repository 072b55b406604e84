import { connect } from 'node:tls'

export interface LoadResult {
  readonly responses: number
  readonly failures: readonly string[]
  /** The names in the certificates that new connections were shown. */
  readonly names: ReadonlySet<string>
}

interface Options {
  readonly url: string
  /** How many at once make a new connection for each request. */
  readonly connecting: number
  /** How many at once use connections again. */
  readonly staying: number
}

/** Asks for one URL over and over, over new connections and over kept ones, until told to end. */
export function startConnectionLoad({ url, connecting, staying }: Options) {
  const ending = new AbortController()
  let responses = 0
  const failures: string[] = []
  const names = new Set<string>()

  async function loop(ask: () => Promise<string | undefined>): Promise<void> {
    while (!ending.signal.aborted) {
      const failure = await ask()
      if (failure === undefined) responses += 1
      else failures.push(failure)
    }
  }

  const running = [
    ...Array.from({ length: connecting }, () => loop(() => askOnce(new URL(url), names))),
    ...Array.from({ length: staying }, () => loop(() => askAgain(url))),
  ]
  return {
    async end(): Promise<LoadResult> {
      ending.abort()
      await Promise.all(running)
      return { responses, failures, names }
    },
  }
}

async function askAgain(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { tls: { rejectUnauthorized: false } })
    await response.bytes()
    return response.status === 200 ? undefined : `status ${response.status}`
  } catch (error) {
    return String(error)
  }
}

/** Over a connection of its own; `undefined`, or what went wrong. */
async function askOnce(url: URL, names: Set<string>): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let received = ''
  const socket = connect({
    port: Number(url.port),
    host: '127.0.0.1',
    servername: 'any.example',
    rejectUnauthorized: false,
  })
  socket.once('secureConnect', () => {
    names.add(String(socket.getPeerCertificate().subject.CN))
    socket.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`)
  })
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  socket.once('error', (error) => resolve(error.message))
  socket.once('close', () =>
    resolve(received.startsWith('HTTP/1.1 200 ') ? undefined : `closed after "${received}"`),
  )
  const failure = await promise
  socket.destroy()
  return failure
}
