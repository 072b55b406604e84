import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, and cuts every connection that has sent its share. */
export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
  /** How many connections were cut. */
  readonly cuts: number
  /** From now on connections end only where one of their ends does. */
  stopCutting(): void
}

/** The connections that are cut are the first `times`, after so many bytes of the client's each. */
export async function openCuttingProxy(
  targetUrl: string,
  { afterBytes, times }: { readonly afterBytes: number; readonly times: number },
): Promise<CuttingProxy> {
  const { hostname, port } = new URL(targetUrl)
  const open = new Set<Socket>()
  let left = times
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    let sentBytes = 0
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (piece) => {
      sentBytes += piece.length
      if (sentBytes < afterBytes || left === 0) return
      left -= 1
      cuts += 1
      near.resetAndDestroy()
      far.destroy()
    })
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    get cuts() {
      return cuts
    },
    stopCutting: () => void (left = 0),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
