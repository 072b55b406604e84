import type { ClientOptions, ClientSocket, RespondHere } from './client-options.ts'
import type { InnerConnection, InnerConnections, InnerUser } from './inner-connections.ts'
import { createKnownFields } from './request-heads.ts'

/** A connection to the full server that says whether it is read from. */
export function openInner() {
  const inner = { isPaused: false, asked: [] as string[] }
  const connection: InnerConnection = {
    beginRequest: () => {},
    write(bytes) {
      inner.asked.push(Buffer.from(bytes).toString())
      return bytes.length
    },
    pause: () => void (inner.isPaused = true),
    resume: () => void (inner.isPaused = false),
    close: () => {},
  }
  const connections: InnerConnections = {
    open: (_user: InnerUser) => connection,
    giveBack: () => {},
    peerOf: () => undefined,
    sweep: () => {},
    closeIdle: () => {},
    heard: async () => {},
  }
  return { inner, connections }
}

/** A socket whose client takes all that it is sent, or as much as there is room for. */
export function openSocket({ room = Infinity } = {}) {
  const socket = { room, sent: [] as string[] }
  const client: ClientSocket = {
    fd: -1,
    write(data) {
      const bytes = Buffer.from(data as Uint8Array)
      const taken = Math.min(socket.room, bytes.length)
      socket.room -= taken
      socket.sent.push(bytes.toString('latin1', 0, taken))
      return taken
    },
    end: () => 0,
    terminate: () => {},
    pause: () => {},
    resume: () => {},
  }
  return { socket, client }
}

export const peer = { address: '192.0.2.1', port: 1 }

export const optionsWith = (inner: InnerConnections, respondHere: RespondHere): ClientOptions => ({
  respond: () => undefined,
  respondHere,
  inner,
  fields: createKnownFields(),
  fileSender: undefined,
  second: () => 0,
})
