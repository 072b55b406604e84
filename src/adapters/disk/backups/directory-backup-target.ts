import { randomUUID } from 'node:crypto'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { flushDirectory, makeDurableDirectory } from '../../../lib/files/durable-files.ts'
import type {
  BackupTarget,
  KeptPiece,
  OpenedPiece,
  PieceSource,
} from '../../../ports/backups/backup-target.ts'

const stepBytes = 1024 * 1024
/** Files in the making; whatever lies there when a writer begins was left by one that was killed. */
const incoming = 'incoming'

/** Backups as files of a directory, which may be a disk, a network share or a stick. */
export class DirectoryBackupTarget implements BackupTarget {
  readonly place: string
  readonly #directory: string

  constructor(directory: string) {
    this.place = directory
    this.#directory = directory
  }

  async put(name: string, source: PieceSource): Promise<void> {
    const path = this.#path(name)
    const temporary = join(this.#directory, incoming, randomUUID())
    await makeDurableDirectory(dirname(temporary))
    await makeDurableDirectory(dirname(path))
    try {
      await writeAll(temporary, source)
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await flushDirectory(dirname(path))
  }

  async open(name: string): Promise<OpenedPiece | undefined> {
    const path = this.#path(name)
    const found = await ifThere(stat(path))
    if (found === undefined) return undefined
    return { sizeBytes: found.size, body: readAll(path) }
  }

  async *list(start: string): AsyncIterable<KeptPiece> {
    const below = start.slice(0, start.lastIndexOf('/') + 1)
    const entries = await ifThere(
      readdir(join(this.#directory, below), { recursive: true, withFileTypes: true }),
    )
    for (const entry of entries ?? []) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(this.#directory.length + 1)
      const found = name.startsWith(start) ? await ifThere(stat(path)) : undefined
      if (found !== undefined) yield { name, sizeBytes: found.size, changedAt: found.mtime }
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true })
  }

  async clear(): Promise<void> {
    await rm(join(this.#directory, incoming), { recursive: true, force: true })
  }

  #path(name: string): string {
    if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/u.test(name)) throw new Error(`No name: ${name}`)
    return join(this.#directory, name)
  }
}

async function writeAll(path: string, source: PieceSource): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  for (let start = 0; start < source.sizeBytes; start += stepBytes) {
    const end = Math.min(start + stepBytes, source.sizeBytes)
    await file.writeFile(await source.bytes(start, end))
  }
  await file.datasync()
}

async function* readAll(path: string): AsyncIterable<Uint8Array<ArrayBuffer>> {
  await using file = await open(path, 'r')
  for (;;) {
    const { buffer, bytesRead } = await file.read(new Uint8Array(stepBytes), 0, stepBytes)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

/** `undefined` for what is not there. */
async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
