import { readSync } from 'node:fs'

import type { FileSender } from '../../../adapters/linux/send-file.ts'
import type { SendableFile } from '../../../lib/files/sendable-file.ts'

export interface FileSocket {
  readonly fd: number
  /** Answers how many bytes were taken, and tells of it once it takes more where that is not all. */
  write(bytes: Uint8Array): number
}

/** So much at once, so that others have their turn. */
const maxBytesAtOnce = 1_048_576
/** What is offered to a socket that takes nothing, so that it tells when it does. */
const probeBytes = 16_384

/**
 * `drain` where the socket tells once it takes more; `later` where it should be gone on soon without that; `broken`
 * where the file has become shorter, so that whoever waits for the rest waits in vain.
 */
export type SendingState = 'done' | 'drain' | 'later' | 'broken'

/** Sends a file over a socket, as far as it takes that. */
export class FileSending {
  readonly #file: SendableFile
  #at: number

  constructor(file: SendableFile) {
    this.#file = file
    this.#at = file.start
  }

  goOn(socket: FileSocket, sender: FileSender): SendingState {
    const { descriptor, end } = this.#file
    const bytes = Math.min(end - this.#at, maxBytesAtOnce)
    const sent = sender.sendFile(socket.fd, { descriptor, start: this.#at, bytes })
    this.#at += sent
    if (this.#at >= end) return 'done'
    if (sent === bytes) return 'later'
    return this.#offer(socket)
  }

  close(): void {
    this.#file.close()
  }

  #offer(socket: FileSocket): SendingState {
    const { descriptor, end } = this.#file
    const probe = Buffer.allocUnsafe(Math.min(probeBytes, end - this.#at))
    const read = readSync(descriptor, probe, 0, probe.length, this.#at)
    if (read === 0) return 'broken'
    const taken = socket.write(probe.subarray(0, read))
    // Whoever is gone is told of soon.
    if (taken < 0) return 'drain'
    this.#at += taken
    if (this.#at >= end) return 'done'
    return taken < read ? 'drain' : 'later'
  }
}
