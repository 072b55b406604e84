import { mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

import {
  type IncomingPack,
  PackTooLargeError,
  UnfitPackError,
} from '../../../ports/pushes/push-receiver.ts'
import { passingFault } from '../objects/storage-fault.ts'

export interface PackLimits {
  readonly maxBytes: number
  readonly maxObjects: number
}

const headerBytes = 12
const trailerBytes = 20

/** A pack as it came, in a file of its own. Nothing of it is known but its first bytes and its length. */
export class IncomingPackFile implements IncomingPack {
  readonly path: string
  #sizeBytes = 0

  private constructor(path: string) {
    this.path = path
  }

  static of(pack: IncomingPack): IncomingPackFile {
    if (pack instanceof IncomingPackFile) return pack
    throw new Error('The pack was not stored here')
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Nobody waits for a process while a pack comes, however slowly. */
  static async store(
    path: string,
    source: AsyncIterable<Uint8Array>,
    limits: PackLimits,
  ): Promise<IncomingPackFile> {
    const pack = new IncomingPackFile(path)
    try {
      await pack.#take(source, limits)
      return pack
    } catch (error) {
      await pack[Symbol.asyncDispose]()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { force: true })
  }

  async #take(source: AsyncIterable<Uint8Array>, limits: PackLimits): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true })
    await using file = await open(this.path, 'wx', 0o600)
    let head = Buffer.alloc(0)
    for await (const chunk of source) {
      if (head.length < headerBytes) {
        head = Buffer.concat([head, chunk.subarray(0, headerBytes)])
        if (head.length >= headerBytes) checkHeader(head, limits)
      }
      this.#sizeBytes += chunk.length
      if (this.#sizeBytes > limits.maxBytes)
        throw new PackTooLargeError(`it has over ${limits.maxBytes} bytes`)
      await file.writeFile(chunk).catch((cause: unknown) => {
        throw passingFault('Storing a pushed pack', cause)
      })
    }
    if (this.#sizeBytes > 0 && this.#sizeBytes < headerBytes + trailerBytes)
      throw new UnfitPackError('it is cut off')
  }
}

/** The count is what git makes room for before it has seen one object (gitformat-pack). */
function checkHeader(head: Buffer, { maxObjects, maxBytes }: PackLimits): void {
  const version = head.readUInt32BE(4)
  if (head.toString('latin1', 0, 4) !== 'PACK' || (version !== 2 && version !== 3))
    throw new UnfitPackError('it is no pack')
  const count = head.readUInt32BE(8)
  if (count > maxObjects || count > maxBytes)
    throw new UnfitPackError(`it says it has ${count} objects; a push may have ${maxObjects}`)
}
