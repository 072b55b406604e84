import type { Netlink } from './netlink.ts'
import { readReply } from './socket-question.ts'

/** One TCP socket, of which it is to be known how much it had sent when it closed. */
export interface WatchedSocket extends Disposable {
  /** `undefined` until it is told. */
  sentAtClose(): number | undefined
}

/** What the kernel says of sockets that close. It is listened to while anything is watched. */
export class ClosedSockets implements Disposable {
  readonly #open: () => Netlink | undefined
  readonly #monotonicMs: () => number
  readonly #watched = new Map<bigint, Set<{ sentBytes: number | undefined }>>()
  #notices: Netlink | undefined
  #readAtMs = 0

  constructor(open: () => Netlink | undefined, monotonicMs: () => number) {
    this.#open = open
    this.#monotonicMs = monotonicMs
  }

  watch(cookie: bigint): WatchedSocket {
    this.#notices ??= this.#open()
    const all = this.#watched.get(cookie) ?? new Set()
    const socket: { sentBytes: number | undefined } = { sentBytes: undefined }
    this.#watched.set(cookie, all.add(socket))
    return {
      sentAtClose: () => {
        this.#read()
        return socket.sentBytes
      },
      [Symbol.dispose]: () => {
        all.delete(socket)
        if (all.size === 0 && this.#watched.get(cookie) === all) this.#watched.delete(cookie)
        if (this.#watched.size === 0) this[Symbol.dispose]()
      },
    }
  }

  /** The kernel keeps a few hundred notices, of every socket of the machine: they are to be taken often. */
  readSometimes(): void {
    if (this.#monotonicMs() - this.#readAtMs > readEveryMs) this.#read()
  }

  [Symbol.dispose](): void {
    this.#notices?.[Symbol.dispose]()
    this.#notices = undefined
  }

  #read(): void {
    this.#readAtMs = this.#monotonicMs()
    for (let count = 0; count < maxNotices; count += 1) {
      const notice = this.#notices?.receive()
      if (notice === undefined) return
      const closed = readReply(notice)
      if (closed === undefined) continue
      for (const socket of this.#watched.get(closed.cookie) ?? [])
        socket.sentBytes = closed.sentSoFar.sentBytes
    }
  }
}

const readEveryMs = 20
/** Where sockets close faster than this reads, others have their turn too. */
const maxNotices = 4096
