import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const pageBytes = 64 * 1024
/** Everything that is read of one file together. An animation has to be walked through to its end. */
const maxReadBytes = 32 * 2 ** 20

/** Bytes of a file, by place. Reading past the end gives fewer; reading too much gives none. */
export interface PagedBytes {
  readonly sizeBytes: number
  bytes(start: number, length: number): Uint8Array
}

/** What a file says of itself may lie anywhere in it, and the rest is not read. */
export class PagedFile implements PagedBytes, Disposable {
  readonly sizeBytes: number
  readonly #file: number
  #page: Uint8Array = new Uint8Array(0)
  #pageStart = 0
  #readBytes = 0

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.sizeBytes = fstatSync(this.#file).size
  }

  bytes(start: number, length: number): Uint8Array {
    const end = Math.min(start + length, this.sizeBytes)
    if (!(start >= 0) || start >= end) return new Uint8Array(0)
    const isKnown = start >= this.#pageStart && end <= this.#pageStart + this.#page.length
    if (!isKnown) this.#turnTo(start, end)
    return this.#page.subarray(start - this.#pageStart, end - this.#pageStart)
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #turnTo(start: number, end: number): void {
    const length = Math.min(Math.max(end - start, pageBytes), this.sizeBytes - start)
    this.#readBytes += length
    if (this.#readBytes > maxReadBytes) throw new RangeError('Too much had to be read')
    const page = new Uint8Array(length)
    const read = readSync(this.#file, page, 0, length, start)
    this.#page = page.subarray(0, read)
    this.#pageStart = start
  }
}

export const uint16 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

export const uint32 = (bytes: Uint8Array, at: number): number =>
  uint16(bytes, at) * 65_536 + uint16(bytes, at + 2)

export const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
