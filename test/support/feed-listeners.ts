import { connect, type Socket } from 'node:net'

/** Many edges that do nothing but hear the feed: a raw connection each, so that a thousand cost little. */
export interface FeedListeners extends Disposable {
  /** How many have heard a change that leads to `seq` or further. */
  heard(seq: number): number
  /** Milliseconds, of `performance.now()`, when each first heard of `seq` or further. */
  timesOf(seq: number): readonly number[]
}

interface Heard {
  readonly seq: number
  readonly atMs: number
}

const idLine = /id: (\d+)\.\d+\nevent: change\n/gu

export async function openFeedListeners(
  url: string,
  {
    count,
    since,
    token,
  }: { readonly count: number; readonly since: string; readonly token: string },
): Promise<FeedListeners> {
  const port = Number(new URL(url).port)
  const lines = [
    `GET /api/edges/feed?since=${since} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
  ]
  const request = `${lines.join('\r\n')}\r\n\r\n`
  const all = await Promise.all(Array.from({ length: count }, () => listen(port, request)))
  return {
    heard: (seq) => all.filter(({ heard }) => heard.some((each) => each.seq >= seq)).length,
    timesOf: (seq) => all.flatMap(({ heard }) => heard.find((each) => each.seq >= seq)?.atMs ?? []),
    [Symbol.dispose]() {
      for (const { socket } of all) socket.destroy()
    },
  }
}

/** Answers once the first event has come. */
async function listen(
  port: number,
  request: string,
): Promise<{ readonly socket: Socket; readonly heard: readonly Heard[] }> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const heard: Heard[] = []
  const socket = connect({ port, host: '127.0.0.1' }, () => void socket.write(request))
  let rest = ''
  socket.on('data', (chunk: Buffer) => {
    rest += chunk.toString('latin1')
    for (const [, seq] of rest.matchAll(idLine))
      heard.push({ seq: Number(seq), atMs: performance.now() })
    rest = rest.slice(rest.lastIndexOf('\n\n') + 1)
    if (heard.length > 0) resolve()
  })
  socket.on('error', reject).on('close', () => reject(new Error('the feed was cut off')))
  await promise
  return { socket, heard }
}
