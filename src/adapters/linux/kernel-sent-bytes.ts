import { networkInterfaces } from 'node:os'

import type {
  ConnectionEnds,
  SentBytes,
  SentConnection,
  SentSoFar,
} from '../../ports/traffic/sent-bytes.ts'
import { ClosedSockets } from './closed-sockets.ts'
import { type Netlink, openNetlink } from './netlink.ts'
import { openOwnSockets, type OwnSockets } from './own-sockets.ts'
import {
  addressBytes,
  readReply,
  sequenceOf,
  type SocketReply,
  type SocketQuestion,
  writeQuestion,
} from './socket-question.ts'

/** Addresses of a machine change; whoever comes by an unknown one must not have them read each time. */
const addressesGoodForMs = 10_000
/** `1 << (SKNLGRP_INET_TCP_DESTROY - 1)`, and the same of IPv6. */
const closedSocketGroups = 1 | 4

/**
 * What Linux tells of its TCP connections, to anybody on the machine. `undefined` where the system has
 * no such thing or refuses it.
 */
export function openKernelSentBytes(monotonicMs: () => number): SentBytes | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const open = openNetlink()
    const questions = open(0)
    if (questions === undefined) return undefined
    const closed = new ClosedSockets(() => open(closedSocketGroups), monotonicMs)
    return new KernelSentBytes({ questions, closed, own: openOwnSockets(), monotonicMs })
  } catch {
    // Another C library, perhaps.
    return undefined
  }
}

interface Parts {
  readonly questions: Netlink
  readonly closed: ClosedSockets
  readonly own: OwnSockets | undefined
  readonly monotonicMs: () => number
}

interface Found {
  readonly question: SocketQuestion
  readonly reply: SocketReply
}

class KernelSentBytes implements SentBytes {
  readonly #parts: Parts
  #sequence = 0
  #isOpen = true
  #addresses: readonly Uint8Array[] = []
  #addressesReadAtMs = -Infinity

  constructor(parts: Parts) {
    this.#parts = parts
  }

  connection(ends: ConnectionEnds): SentConnection | undefined {
    const { socket } = ends
    const cookie = socket && this.#parts.own?.cookieOf(socket)
    if (socket !== undefined && cookie !== undefined)
      return this.#connectionOf(
        cookie,
        () => this.#parts.own?.sentSoFar(socket) ?? this.#find(ends, cookie)?.reply.sentSoFar,
      )
    const found = this.#find(ends)
    if (found === undefined) return undefined
    const question = { ...found.question, cookie: found.reply.cookie }
    return this.#connectionOf(question.cookie, () => this.#ask(question)?.sentSoFar)
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#parts.closed[Symbol.dispose]()
    this.#parts.questions[Symbol.dispose]()
  }

  /** The cookie is the socket's own for as long as the machine runs. */
  #connectionOf(cookie: bigint, measureOpen: () => SentSoFar | undefined): SentConnection {
    const { closed } = this.#parts
    const watched = closed.watch(cookie)
    return {
      id: String(cookie),
      measure: () => {
        closed.readSometimes()
        return measureOpen() ?? atClose(watched.sentAtClose())
      },
      [Symbol.dispose]: () => watched[Symbol.dispose](),
    }
  }

  /** Whichever socket has these ends where no cookie says which. */
  #find(ends: ConnectionEnds, cookie?: bigint): Found | undefined {
    const peer = addressBytes(ends.peerAddress)
    if (peer === undefined) return undefined
    for (const local of this.#addressesLike(peer)) {
      const question = { ...questionOf(ends, local, peer), cookie }
      const reply = this.#ask(question)
      if (reply !== undefined) return { question, reply }
    }
    return undefined
  }

  /** The kernel has answered by the time it has taken the question. */
  #ask(question: SocketQuestion): SocketReply | undefined {
    if (!this.#isOpen) return undefined
    const { questions } = this.#parts
    this.#sequence = (this.#sequence + 1) % 2 ** 32
    if (!questions.send(writeQuestion(question, this.#sequence))) return undefined
    for (;;) {
      const answer = questions.receive()
      if (answer === undefined) return undefined
      if (sequenceOf(answer) === this.#sequence) return readReply(answer)
    }
  }

  /** Bun does not tell at which of the machine's addresses a connection arrived. */
  #addressesLike(peer: Uint8Array): readonly Uint8Array[] {
    const nowMs = this.#parts.monotonicMs()
    if (nowMs - this.#addressesReadAtMs > addressesGoodForMs) {
      this.#addressesReadAtMs = nowMs
      this.#addresses = ownAddresses()
    }
    return this.#addresses.filter(({ length }) => length === peer.length)
  }
}

const atClose = (sentBytes: number | undefined): SentSoFar | undefined =>
  sentBytes === undefined ? undefined : { sentBytes, waitingBytes: 0, isOpen: false }

const questionOf = (
  { localPort, peerPort }: ConnectionEnds,
  local: Uint8Array,
  peer: Uint8Array,
): SocketQuestion => ({
  local,
  localPort,
  peer,
  peerPort,
  isV6: peer.length === 16,
  cookie: undefined,
})

const ownAddresses = (): readonly Uint8Array[] =>
  Object.values(networkInterfaces()).flatMap((all = []) =>
    all.flatMap(({ address }) => addressBytes(address) ?? []),
  )
