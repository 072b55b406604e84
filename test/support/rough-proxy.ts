import { connect, createServer, type Server, type Socket } from 'node:net'

/** What happens between two processes. */
export type Weather =
  | { readonly kind: 'clear' }
  /** Every piece arrives so much later. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Connections end, and none can be made. */
  | { readonly kind: 'cut' }
  /** As `cut`, by force, in the middle of whatever is under way. */
  | { readonly kind: 'reset' }
  /** Connections are made and kept, and nothing gets through. */
  | { readonly kind: 'black hole' }

export interface RoughProxy extends AsyncDisposable {
  readonly url: string
  set(weather: Weather): void
}

interface Pair {
  readonly near: Socket
  readonly far: Socket
}

/** A proxy on loopback in front of a port, through which anything may go wrong. */
export async function openRoughProxy(targetUrl: string): Promise<RoughProxy> {
  const target = Number(new URL(targetUrl).port)
  const pairs = new Set<Pair>()
  let weather: Weather = { kind: 'clear' }

  const server = createServer((near) => {
    if (weather.kind === 'cut' || weather.kind === 'reset') {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port: target, host: '127.0.0.1' })
    const pair = { near, far }
    pairs.add(pair)
    carry(near, far, () => weather)
    carry(far, near, () => weather)
    const close = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) socket.on('close', close).on('error', close)
  })
  const port = await listen(server)
  const end = (how: (socket: Socket) => void) => {
    for (const { near, far } of pairs) {
      how(near)
      how(far)
    }
  }
  return {
    url: `http://127.0.0.1:${port}`,
    set(next) {
      weather = next
      if (next.kind === 'cut') end((socket) => socket.destroy())
      if (next.kind === 'reset') end((socket) => socket.resetAndDestroy())
    },
    async [Symbol.asyncDispose]() {
      end((socket) => socket.destroy())
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** What falls into a black hole is lost: a connection that has been in one never works again. */
function carry(from: Socket, to: Socket, weather: () => Weather): void {
  let isBroken = false
  from.on('data', (piece) => {
    const now = weather()
    if (now.kind === 'black hole') isBroken = true
    if (isBroken) return
    if (now.kind === 'delay') setTimeout(() => to.writable && to.write(piece), now.ms)
    else if (to.writable) to.write(piece)
  })
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
