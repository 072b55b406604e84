import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header and body, as they came. */
  readonly data: string
}

export interface SmtpServer extends AsyncDisposable {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** What was said to prove who is there. */
  readonly credentials: readonly string[]
  /** What the end of a message is answered with from now on. */
  response: string
  until(count: number, withinMs?: number): Promise<void>
}

interface Options {
  /** TLS from the beginning. */
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A small SMTP server (RFC 5321) that takes whatever comes and keeps it. */
export async function openSmtpServer({ tls }: Options = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  const credentials: string[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const state = { response: '250 taken' }
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => void sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, {
      onMail(mail) {
        if (state.response.startsWith('2')) mails.push(mail)
        for (const look of waiting) look()
        return state.response
      },
      onCredential: (text) => void credentials.push(text),
    })
  }
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it has no port')
  return Object.assign(state, {
    port: address.port,
    mails,
    credentials,
    async until(count: number, withinMs = 20_000) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const look = () => void (mails.length >= count && resolve())
      const timer = setTimeout(() => reject(new Error(`${mails.length} mails came`)), withinMs)
      waiting.add(look)
      look()
      await promise.finally(() => {
        clearTimeout(timer)
        waiting.delete(look)
      })
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  })
}

interface Listener {
  readonly onMail: (mail: ReceivedMail) => string
  readonly onCredential: (text: string) => void
}

function converse(socket: Socket, { onMail, onCredential }: Listener): void {
  let buffered = ''
  let from = ''
  let to: string[] = []
  let isData = false
  const say = (line: string) => socket.write(`${line}\r\n`)
  const lineOf = (end: string): string | undefined => {
    const place = buffered.indexOf(end)
    if (place < 0) return undefined
    const line = buffered.slice(0, place)
    buffered = buffered.slice(place + end.length)
    return line
  }
  const respondTo = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO') socket.write('250-test\r\n250-AUTH PLAIN\r\n250 SMTPUTF8\r\n')
    else if (verb === 'AUTH') {
      onCredential(Buffer.from(line.split(' ')[2] ?? '', 'base64').toString())
      say('235 known')
    } else if (verb === 'MAIL') {
      from = line.slice(line.indexOf('<') + 1, line.indexOf('>'))
      to = []
      say('250 so far')
    } else if (verb === 'RCPT') {
      to.push(line.slice(line.indexOf('<') + 1, line.indexOf('>')))
      say('250 so far')
    } else if (verb === 'DATA') {
      isData = true
      say('354 go on')
    } else if (verb === 'QUIT') {
      say('221 bye')
      socket.end()
    } else say(verb === 'STAR' ? '502 no TLS here' : '250 as you like')
  }
  say('220 test')
  socket.on('data', (chunk: Buffer) => {
    buffered += chunk.toString('latin1')
    for (;;) {
      const line = lineOf(isData ? '\r\n.\r\n' : '\r\n')
      if (line === undefined) return
      if (isData) {
        isData = false
        say(onMail({ from, to, data: Buffer.from(line, 'latin1').toString() }))
      } else respondTo(line)
    }
  })
}
