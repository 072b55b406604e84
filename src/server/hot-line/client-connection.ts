import type { RequestHead } from '../../http/wire/request-head.ts'
import type { WireResponse } from '../../http/wire/wire-response.ts'
import type { MadeResponse, Peer } from '../connections.ts'
import type { OwnSocket } from '../../ports/traffic/sent-bytes.ts'
import type { ClientOptions, ClientSocket } from './client-options.ts'
import { ClientRequest } from './client-request.ts'
import type { InnerConnection, InnerUser } from './inner-connections.ts'
import { cancelBody, discard, type Sendable, sendableOf } from './sending/made-response.ts'
import { Outgoing } from './sending/outgoing.ts'
import { type PeerRequest, peerRequestOf } from './peer-request.ts'
import { createHeadReader, type HeadReader, isRead } from './request-heads.ts'
import { findResponseEnd, type ResponseEnd } from './response-end.ts'

/**
 * Who responds to what comes: this connection itself, the service to one request that it was asked here, the full
 * server to one request whose response it is known how to find the end of, or the full server to everything from now
 * on.
 */
type Turn = 'own' | 'here' | 'one' | 'all'

/** What is longer is no head, or many: the full server bounds that. */
const maxReadBytes = 65_536
const none = new Uint8Array(0)

/**
 * A client's connection. It answers what it is sure of, and passes every other byte on as it came, so that
 * nothing is ever read twice with two meanings. Neither way more is held than was read at once: who does not
 * take what is sent is not read from.
 */
export class ClientConnection implements InnerUser, OwnSocket {
  readonly peer: Peer
  /** Raised by whoever looks for those that are idle, and put back by whatever happens. */
  idleSweeps = 0
  readonly #socket: ClientSocket
  readonly #options: ClientOptions
  readonly #heads: HeadReader
  readonly #outgoing: Outgoing
  #turn: Turn = 'own'
  #end: ResponseEnd | undefined
  /** The request that the full server has not begun to respond to. */
  #asked: Uint8Array = none
  #hasAskedAgain = false
  #inner: InnerConnection | undefined
  /** Read, and not looked at yet. */
  #waiting: Uint8Array = none
  /** Whose response is on its way. */
  #request: ClientRequest | undefined
  #toInner: Uint8Array = none
  /** Of the body of the request that is passed on, not passed on yet. */
  #bodyBytesLeft = 0
  #hasResponseEnded = false
  /** What the service was asked here, until its response has begun. */
  #askedHere: PeerRequest | undefined
  #made: MadeResponse | undefined
  #decided = Promise.resolve()
  #isLast = false
  #isClosed = false

  constructor(socket: ClientSocket, { address, port }: Peer, options: ClientOptions) {
    this.#socket = socket
    this.peer = { address, port, socket: this, takeMade: () => this.#takeMade() }
    this.#options = options
    this.#heads = createHeadReader(options.fields)
    this.#outgoing = new Outgoing({
      ...options,
      socket,
      onTaken: () => void (this.idleSweeps = 0),
      onSent: () => this.#onceSent(),
    })
  }

  get descriptor(): number | undefined {
    return this.#isClosed ? undefined : this.#socket.fd
  }

  /** Whether the full server, with its own bounds of time, is at work for it, or a response has none. */
  get mayBeSilent(): boolean {
    return this.#isPassedOn || this.#askedHere?.isKeptOpen === true
  }

  get #isPassedOn(): boolean {
    return this.#turn === 'one' || this.#turn === 'all'
  }

  /** Resolves once it is known who sends the response that is waited for. */
  get decided(): Promise<void> {
    return this.#decided
  }

  onData(bytes: Buffer): void {
    this.idleSweeps = 0
    if (this.#turn === 'all') this.#passOn(bytes)
    else if (this.#bodyBytesLeft > 0) this.#passBodyOn(bytes)
    else if (this.#turn !== 'own' || this.#outgoing.isSending) this.#wait(bytes)
    else this.#look(bytes)
  }

  onDrain(): void {
    this.idleSweeps = 0
    this.#outgoing.onDrain()
  }

  onClose(): void {
    this.#isClosed = true
    if (this.#outgoing.isSending) this.#request?.breakOff()
    this.#askedHere?.breakOff()
    void this.#takeMade()?.response.then(cancelBody, () => undefined)
    this.#outgoing.close()
    const inner = this.#inner
    this.#inner = undefined
    if (inner === undefined) return
    if (this.#isPassedOn) inner.close()
    else this.#options.inner.giveBack(inner)
  }

  onInnerData(bytes: Uint8Array): void {
    this.#asked = none
    const end = this.#turn === 'one' ? this.#end?.take(bytes) : undefined
    this.#outgoing.send(bytes)
    if (this.#outgoing.hasUnsent) this.#inner?.pause()
    if (end === 'unknown') this.#passAllOn()
    else if (end === 'ended') this.#onResponseEnd()
  }

  onInnerDrain(): void {
    const unsent = this.#toInner
    this.#toInner = none
    this.#passOn(unsent)
    if (this.#toInner.length === 0) this.#onPassedOn()
  }

  onInnerClose(): void {
    this.#inner = undefined
    if (!this.#isPassedOn) return
    if (this.#asked.length > 0 && !this.#hasAskedAgain) {
      this.#askAgain()
      return
    }
    this.#turn = 'own'
    this.#bodyBytesLeft = 0
    this.#endOnceSent()
  }

  /** Takes no further request. */
  finish(): void {
    if (this.#turn === 'own') this.#endOnceSent()
    else this.#isLast = true
  }

  /** Cuts it off. */
  cut(): void {
    this.#socket.terminate()
  }

  /** Responds to what is understood, in its order, as far as that goes. */
  #look(bytes: Buffer): void {
    this.#lookThrough(bytes)
    if (this.#isLast && this.#turn === 'own') this.#endOnceSent()
  }

  #lookThrough(bytes: Buffer): void {
    const text = bytes.toString('latin1', 0, maxReadBytes)
    let start = 0
    while (start < bytes.length && !this.#isLast) {
      if (this.#outgoing.isSending) {
        this.#wait(bytes.subarray(start))
        return
      }
      const head = this.#heads.read(text, start)
      if (head === undefined) {
        this.#turn = 'all'
        this.#passOn(bytes.subarray(start))
        return
      }
      const { request, bodyBytes, isLast, end } = head
      this.#isLast = isLast
      if (bodyBytes !== undefined) {
        this.#passOneOn(bytes.subarray(start, end), request.method, bodyBytes)
        if (end < bytes.length) this.onData(bytes.subarray(end))
        return
      }
      const response = this.#respond(request)
      if (response === undefined) {
        this.#ask(bytes.subarray(start, end), request)
        if (end < bytes.length) this.#wait(bytes.subarray(end))
        return
      }
      this.#outgoing.sendResponse(response)
      start = end
    }
  }

  #respond(head: RequestHead): WireResponse | undefined {
    const { respond, fileSender } = this.#options
    this.#request = new ClientRequest(head, this.peer, fileSender !== undefined)
    return respond(this.#request, this.peer.address)
  }

  #ask(bytes: Uint8Array, head: RequestHead): void {
    const request = peerRequestOf(head, this.peer)
    if (request === undefined) this.#passOneOn(bytes, head.method)
    else this.#decided = this.#askHere(bytes, request)
  }

  /** What cannot be sent from here the full server sends, which is asked for it in the same words. */
  async #askHere(bytes: Uint8Array, request: PeerRequest): Promise<void> {
    this.#turn = 'here'
    this.#askedHere = request
    const response = this.#options.respondHere(request, this.peer.address)
    const made = await response.catch(() => undefined)
    const sendable = made && (await sendableOf(made, this.#options.fileSender !== undefined))
    if (this.#isClosed) {
      if (sendable !== undefined) discard(sendable)
      else if (made !== undefined) await cancelBody(made)
    } else if (sendable !== undefined) {
      this.#sendMade(sendable)
    } else {
      this.#made = { request, response }
      this.#passOneOn(bytes, request.method)
    }
  }

  #takeMade(): MadeResponse | undefined {
    const made = this.#made
    this.#made = undefined
    return made
  }

  #sendMade({ wire, body = none, coming }: Sendable): void {
    this.#turn = 'own'
    this.#outgoing.sendResponse(wire)
    this.#outgoing.send(body)
    if (coming !== undefined) void this.#outgoing.sendComing(coming)
    else if (!this.#outgoing.isSending) this.#goOn()
  }

  #onceSent(): void {
    if (this.#turn !== 'own') this.#inner?.resume()
    else this.#goOn()
  }

  #goOn(): void {
    this.#askedHere = undefined
    if (this.#isLast) {
      this.#endOnceSent()
      return
    }
    const waiting = this.#waiting
    if (waiting.length === 0) return
    this.#waiting = none
    this.#socket.resume()
    this.#look(Buffer.from(waiting.buffer, waiting.byteOffset, waiting.byteLength))
  }

  #wait(bytes: Uint8Array): void {
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes])
    this.#socket.pause()
  }

  #passOneOn(bytes: Uint8Array, method: string, bodyBytes = 0): void {
    this.#turn = 'one'
    this.#end = findResponseEnd(method)
    // Who writes is not asked again: he may have been heard.
    this.#asked = isRead(method) ? bytes : none
    this.#hasAskedAgain = false
    this.#bodyBytesLeft = bodyBytes
    this.#hasResponseEnded = false
    this.#openInner().beginRequest()
    this.#passOn(bytes)
  }

  #passBodyOn(bytes: Buffer): void {
    const ofBody = bytes.subarray(0, this.#bodyBytesLeft)
    this.#bodyBytesLeft -= ofBody.length
    this.#passOn(ofBody)
    if (ofBody.length < bytes.length) this.#wait(bytes.subarray(ofBody.length))
    if (this.#toInner.length === 0) this.#onPassedOn()
    else this.#socket.pause()
  }

  /** The full server has taken what there was for it. */
  #onPassedOn(): void {
    if (this.#waiting.length === 0) this.#socket.resume()
    if (this.#hasResponseEnded && this.#bodyBytesLeft === 0) this.#takeTurn()
  }

  /** A refusal may come before all of a body is there. */
  #onResponseEnd(): void {
    this.#hasResponseEnded = true
    if (this.#bodyBytesLeft === 0 && this.#toInner.length === 0) this.#takeTurn()
  }

  /** A connection that was kept may have been closed while the request was on its way (RFC 9112 §9.3.1). */
  #askAgain(): void {
    this.#hasAskedAgain = true
    this.#toInner = none
    this.#openInner().beginRequest()
    this.#passOn(this.#asked)
  }

  /** From now on to its end. */
  #passAllOn(): void {
    this.#turn = 'all'
    const waiting = this.#waiting
    this.#waiting = none
    if (waiting.length > 0) this.#passOn(waiting)
    if (this.#toInner.length === 0) this.#socket.resume()
  }

  #passOn(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#toInner.length > 0) {
      this.#toInner = Buffer.concat([this.#toInner, bytes])
      return
    }
    const taken = this.#openInner().write(bytes)
    if (taken === bytes.length) return
    this.#toInner = bytes.subarray(taken)
    if (this.#turn === 'all') this.#socket.pause()
  }

  #openInner(): InnerConnection {
    return (this.#inner ??= this.#options.inner.open(this))
  }

  /** The full server has said all that there was to say; whoever asks it next is to be heard. */
  #takeTurn(): void {
    this.#turn = 'own'
    this.#hasResponseEnded = false
    this.#askedHere = undefined
    this.#inner?.resume()
    if (!this.#outgoing.isSending) this.#goOn()
  }

  #endOnceSent(): void {
    this.#isLast = true
    if (!this.#outgoing.isSending) this.#socket.end()
  }
}
