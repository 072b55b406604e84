import { X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'

/** What a connection for a name is shown, and whether `root` makes it good for that name. */
export async function shownCertificate(
  url: string,
  serverName: string,
  root?: string,
): Promise<{ readonly certificate: X509Certificate; readonly isGood: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly certificate: X509Certificate
    readonly isGood: boolean
  }>()
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    servername: serverName,
    rejectUnauthorized: false,
    ...(root !== undefined && { ca: root }),
  })
  socket.once('error', reject).once('secureConnect', () => {
    const certificate = new X509Certificate(socket.getPeerCertificate().raw)
    resolve({ certificate, isGood: socket.authorized })
  })
  const seen = await promise
  socket.destroy()
  return seen
}
