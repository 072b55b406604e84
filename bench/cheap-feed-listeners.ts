import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** When one event was told to all, in milliseconds since 1970. */
export interface Received {
  /** The kernel had it of the first connection, and of the last. */
  readonly firstSentAtMs: number
  readonly lastSentAtMs: number
  /** It was read at the other end. */
  readonly medianHeardAtMs: number
  readonly lastHeardAtMs: number
}

/** Connections that do nothing but hear the feed, in a small program of its own. */
export interface CheapFeedListeners extends Disposable {
  /** The next event that all have heard. */
  next(): Promise<Received>
}

interface Options {
  readonly url: string
  readonly count: number
  readonly since: string
  readonly token: string
  /** Where the program is put. */
  readonly directory: string
}

export const canListenCheaply = (): boolean => spawnSync('cc', ['--version']).status === 0

export async function openCheapFeedListeners(options: Options): Promise<CheapFeedListeners> {
  const { url, count, since, token, directory } = options
  const program = join(directory, 'feed-listeners')
  const source = join(import.meta.dir, 'feed-listeners.c')
  const { status, stderr } = spawnSync('cc', ['-O2', '-o', program, source])
  if (status !== 0) throw new Error(String(stderr))
  const words = [program, new URL(url).port, String(count), since, token]
  const child = Bun.spawn(words, { stdout: 'pipe', stderr: 'inherit' })
  const lines = linesOf(child.stdout)
  const nextLine = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the listeners ended')
    return value
  }
  await nextLine()
  return {
    async next() {
      const [, ...microseconds] = (await nextLine()).split(' ').map(Number)
      const [firstSentAtMs = 0, lastSentAtMs = 0, medianHeardAtMs = 0, lastHeardAtMs = 0] =
        microseconds.map((each) => each / 1000)
      return { firstSentAtMs, lastSentAtMs, medianHeardAtMs, lastHeardAtMs }
    },
    [Symbol.dispose]: () => child.kill(),
  }
}

async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of output) {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = pieces.pop() ?? ''
    yield* pieces
  }
}
