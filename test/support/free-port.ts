import { randomInt } from 'node:crypto'

/**
 * Below the ports that systems give to connections that go out (Linux: from 32,768; RFC 6335 §6: from
 * 49,152): one of those that nobody listens on may be a connection's a moment later.
 */
const firstPort = 10_000
const endPort = 32_000

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const [port = 0] = freePorts(1)
  return port
}

/** Different ones. */
export function freePorts(count: number): readonly number[] {
  const held = Array.from({ length: count }, listenSomewhere)
  const ports = held.map(({ port }) => port)
  for (const each of held) each.stop(true)
  return ports
}

function listenSomewhere() {
  for (;;) {
    try {
      return Bun.listen({
        hostname: '127.0.0.1',
        port: randomInt(firstPort, endPort),
        socket: { data: () => undefined },
      })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    }
  }
}
