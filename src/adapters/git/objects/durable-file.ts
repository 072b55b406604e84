import { closeSync, fsync, openSync, rmSync, write, writeSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { promisify } from 'node:util'

import { finalFault, flushFault, passingFault } from './storage-fault.ts'

const readOnlyMode = 0o444
/** Up to this size a write is over sooner than it could be handed to another thread. */
const smallBytes = 256 * 1024

const writeElsewhere = promisify(write)
const flushElsewhere = promisify(fsync)

/** Writes a new file and flushes it. Where that fails there is no file. */
export async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await using file = await NewFile.create(path)
  await file.append(parts)
  await file.flush()
}

/**
 * A file being written. Unless it was flushed, disposing it takes it away again. What only reaches the kernel's
 * memory is done at once; what waits for the disk, and large writes, are done by other threads.
 */
export class NewFile {
  readonly path: string
  readonly #descriptor: number
  #isFlushed = false

  private constructor(path: string, descriptor: number) {
    this.path = path
    this.#descriptor = descriptor
  }

  static async create(path: string): Promise<NewFile> {
    try {
      return new NewFile(path, openSync(path, 'wx', readOnlyMode))
    } catch (cause) {
      throw passingFault('Creating a file of the repository', cause)
    }
  }

  async append(parts: readonly Uint8Array[]): Promise<void> {
    try {
      for (const part of parts) await writeAll(this.#descriptor, part)
    } catch (cause) {
      throw passingFault('Writing a file of the repository', cause)
    }
  }

  async flush(): Promise<void> {
    try {
      await flushElsewhere(this.#descriptor)
    } catch (cause) {
      throw flushFault('Flushing a file of the repository', cause)
    }
    this.#isFlushed = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    closeSync(this.#descriptor)
    if (!this.#isFlushed) rmSync(this.path, { force: true })
  }
}

/** A directory kept open, so that a flush of the names in it is one system call. */
export class FlushableDirectory {
  readonly path: string
  readonly #handle: FileHandle

  private constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  static async open(path: string): Promise<FlushableDirectory> {
    return new FlushableDirectory(path, await open(path, 'r'))
  }

  /** Makes renames and new names survive a power cut. */
  async flush(): Promise<void> {
    try {
      await this.#handle.sync()
    } catch (cause) {
      throw finalFault('Flushing the repository', cause)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

/** Flushes a file or a directory that is there already. */
export async function flushPath(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A write may take less than it is given, on a full disk for one. */
async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done +=
      bytes.length <= smallBytes
        ? writeSync(descriptor, bytes, done)
        : (await writeElsewhere(descriptor, bytes, done)).bytesWritten
}
