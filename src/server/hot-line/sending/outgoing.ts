import type { FileSender } from '../../../adapters/linux/send-file.ts'
import type { WireResponse } from '../../../http/wire/wire-response.ts'
import type { ClientSocket } from '../client-options.ts'
import type { BodySending } from './body-sending.ts'
import { FileSending } from './file-sending.ts'

const none = new Uint8Array(0)

interface Options {
  readonly socket: ClientSocket
  /** Absent where files cannot be sent from where they are. */
  readonly fileSender: FileSender | undefined
  /** Seconds since 1970. */
  readonly second: () => number
  /** Told whenever the client has taken something. */
  readonly onTaken: () => void
  /** Told once all has been sent that could not be at once. */
  readonly onSent: () => void
}

/** What is on its way to a client, which is never more than was given at once. */
export class Outgoing {
  readonly #options: Options
  readonly #socket: ClientSocket
  #unsent: Uint8Array = none
  /** What is sent after that. */
  #file: FileSending | undefined
  #coming: BodySending | undefined
  #goOn: (() => void) | undefined
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
    this.#socket = options.socket
  }

  get isSending(): boolean {
    return this.hasUnsent || this.#file !== undefined || this.#coming !== undefined
  }

  /** Whether the client has not taken what it was sent. */
  get hasUnsent(): boolean {
    return this.#unsent.length > 0
  }

  send(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.hasUnsent) {
      this.#unsent = Buffer.concat([this.#unsent, bytes])
      return
    }
    const sent = this.#write(bytes)
    if (sent < bytes.length) this.#unsent = bytes.subarray(sent)
  }

  sendResponse(response: WireResponse): void {
    response.setDate(this.#options.second())
    const { bytes, headBytes, file, isLent = false } = response
    const sent = file === undefined ? this.#write(bytes) : this.#writeHead(bytes)
    if (file !== undefined) this.#file = new FileSending(file)
    if (sent === bytes.length) {
      if (this.#file !== undefined) this.#sendFile(this.#file)
      return
    }
    // The head is written to for others meanwhile, a body of its own is not.
    const isReused = isLent || sent < headBytes
    this.#unsent = isReused ? Uint8Array.from(bytes.subarray(sent)) : bytes.subarray(sent)
  }

  /** No more of it is asked for than the client takes. */
  async sendComing(body: BodySending): Promise<void> {
    this.#coming = body
    try {
      for (;;) {
        if (this.hasUnsent) await this.#taken()
        const bytes = await body.next()
        if (this.#isClosed) return
        if (bytes === undefined) break
        this.send(bytes)
      }
    } catch {
      if (!this.#isClosed) this.#socket.terminate()
      return
    }
    this.#coming = undefined
    this.#options.onSent()
  }

  /** The client takes more again. */
  onDrain(): void {
    const unsent = this.#unsent
    this.#unsent = none
    this.send(unsent)
    if (this.hasUnsent) return
    if (this.#coming !== undefined) this.#goOn?.()
    else if (this.#file === undefined || this.#sendFile(this.#file)) this.#options.onSent()
  }

  /** The client is gone. */
  close(): void {
    this.#isClosed = true
    this.#file?.close()
    this.#file = undefined
    this.#coming?.cancel()
    this.#goOn?.()
  }

  #taken(): Promise<void> {
    return new Promise((resolve) => {
      this.#goOn = resolve
    })
  }

  /** Answers whether all of it is sent. */
  #sendFile(file: FileSending): boolean {
    const { fileSender, onSent, onTaken } = this.#options
    if (this.#isClosed || fileSender === undefined) return false
    const state = file.goOn(this.#socket, fileSender)
    if (state === 'later' || state === 'done') onTaken()
    if (state === 'broken') this.#socket.terminate()
    if (state === 'later')
      setImmediate(() => {
        if (this.#file === file && this.#sendFile(file)) onSent()
      })
    if (state !== 'done') return false
    file.close()
    this.#file = undefined
    return true
  }

  /** Nobody waits for what a client that is gone was to get. */
  #write(bytes: Uint8Array): number {
    const sent = this.#isClosed ? -1 : this.#socket.write(bytes)
    if (sent > 0) this.#options.onTaken()
    return sent < 0 ? bytes.length : sent
  }

  /** Of a file. What is not taken is tried once more, so that the socket tells when it takes the rest. */
  #writeHead(bytes: Uint8Array): number {
    const sender = this.#isClosed ? undefined : this.#options.fileSender
    const sent = sender?.sendHead(this.#socket.fd, bytes) ?? 0
    return sent === bytes.length ? sent : sent + this.#write(bytes.subarray(sent))
  }
}
