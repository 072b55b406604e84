import { existsSync, renameSync } from 'node:fs'
import { copyFile, link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { takeTurns } from '../../../lib/async/turns.ts'
import { FlushableDirectory, flushPath, NewFile, writeDurably } from '../objects/durable-file.ts'
import {
  type IndexedObject,
  packHeader,
  packHeaderBytes,
  packIndex,
  type PackedObject,
} from '../objects/pack-format.ts'
import type { RecentPacks } from './recent-packs.ts'
import { codeOf, passingFault } from '../objects/storage-fault.ts'

/**
 * Files of ours that are not finished begin with this and have no ending: git takes any `*.idx` for a
 * pack, whatever it is called, and names that begin with `tmp_` for leftovers.
 */
export const unfinishedPrefix = 'tmp_sedge_'

/** Bytes; then requests are answered. */
const hashedPerTurn = 2 * 2 ** 20

/** A pack on disk that git does not see yet. */
export interface UnfinishedPack {
  readonly packPath: string
  readonly indexPath: string
  readonly checksum: string
}

/** A pack in the making whose objects come one by one. */
export interface PackStream {
  /** The offset at which the next part will stand. */
  readonly offset: number
  append(part: Uint8Array): Promise<void>
  /** Flushes pack and index. */
  finish(objects: readonly IndexedObject[]): Promise<UnfinishedPack>
}

/** Where the repository's packs are. */
export class PackStore {
  readonly #directory: FlushableDirectory
  #nextNumber = 0

  private constructor(directory: FlushableDirectory) {
    this.#directory = directory
  }

  static async open(repository: string): Promise<PackStore> {
    const path = join(repository, 'objects', 'pack')
    await mkdir(path, { recursive: true })
    return new PackStore(await FlushableDirectory.open(path))
  }

  /** Writes and flushes a pack of all these objects, pack and index at the same time. */
  async write(objects: readonly PackedObject[]): Promise<UnfinishedPack> {
    const hasher = new Bun.CryptoHasher('sha1')
    const parts: Buffer[] = [packHeader(objects.length), ...objects.map(({ bytes }) => bytes)]
    const turns = takeTurns(hashedPerTurn)
    for (const part of parts) {
      hasher.update(part)
      await turns.after(part.length)
    }
    const checksum = hasher.digest()
    const paths = this.#unfinishedPaths()
    const written = await Promise.allSettled([
      writeDurably(paths.packPath, [Buffer.concat([...parts, checksum])]),
      writeDurably(paths.indexPath, [packIndex(withOffsets(objects), checksum)]),
    ])
    const failed = written.find((result) => result.status === 'rejected')
    if (!failed) return { ...paths, checksum: checksum.toString('hex') }
    await this.discard(paths)
    throw failed.reason
  }

  /** Writes a pack whose objects need not fit into memory. `write` gets where to put them. */
  async stream(
    objectCount: number,
    write: (pack: PackStream) => Promise<UnfinishedPack>,
  ): Promise<UnfinishedPack> {
    const paths = this.#unfinishedPaths()
    await using file = await NewFile.create(paths.packPath)
    const header = packHeader(objectCount)
    const hasher = new Bun.CryptoHasher('sha1').update(header)
    await file.append([header])
    let offset = packHeaderBytes
    return await write({
      get offset() {
        return offset
      },
      async append(part) {
        hasher.update(part)
        offset += part.length
        await file.append([part])
      },
      async finish(objects) {
        const checksum = hasher.digest()
        await file.append([checksum])
        await writeDurably(paths.indexPath, [packIndex(objects, checksum)])
        await file.flush()
        return { ...paths, checksum: checksum.toString('hex') }
      },
    })
  }

  /** Lets git see a pack, and notes it in `recent`. Answers once that would survive a power cut. */
  async install(pack: UnfinishedPack, recent?: RecentPacks): Promise<void> {
    const installed = this.#installedPaths(pack)
    try {
      // A pack without an index does not exist for git, so the index comes last.
      renameSync(pack.packPath, installed.packPath)
      renameSync(pack.indexPath, installed.indexPath)
    } catch (cause) {
      await this.discard(pack)
      await this.discard(installed)
      throw passingFault('Adding a pack to the repository', cause)
    }
    await this.#directory.flush()
    recent?.added(installed.packPath)
  }

  /**
   * Lets git see a pack that somebody else made and flushed, by another name of the same files: it stays where it
   * is as well. It belongs to no group of ours. `false` where the repository has one of that name already.
   */
  async adopt(pack: UnfinishedPack): Promise<boolean> {
    const installed = this.#installedPaths(pack)
    if (existsSync(installed.indexPath)) return false
    try {
      await linkOrCopy(pack.packPath, installed.packPath)
      await linkOrCopy(pack.indexPath, installed.indexPath)
    } catch (cause) {
      await this.discard(installed)
      throw passingFault('Adding a pack to the repository', cause)
    }
    await this.#directory.flush()
    return true
  }

  /** Takes an installed pack away again. Nothing may point to what is in it. */
  uninstall(pack: UnfinishedPack, recent?: RecentPacks): Promise<void> {
    const installed = this.#installedPaths(pack)
    recent?.removed(installed.packPath)
    return this.discard(installed)
  }

  async discard(paths: Pick<UnfinishedPack, 'packPath' | 'indexPath'>): Promise<void> {
    await rm(paths.indexPath, { force: true })
    await rm(paths.packPath, { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#directory[Symbol.asyncDispose]()
  }

  #unfinishedPaths() {
    this.#nextNumber += 1
    const path = join(this.#directory.path, `${unfinishedPrefix}${this.#nextNumber}`)
    return { packPath: `${path}_pack`, indexPath: `${path}_idx` }
  }

  #installedPaths({ checksum }: UnfinishedPack) {
    const path = join(this.#directory.path, `pack-${checksum}`)
    return { packPath: `${path}.pack`, indexPath: `${path}.idx` }
  }
}

/** Some file systems have no hard links. What was left half done is under no index. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, { force: true })
  try {
    await link(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(String(codeOf(error)))) throw error
    await copyFile(from, to)
    await flushPath(to)
  }
}

function withOffsets(objects: readonly PackedObject[]): IndexedObject[] {
  let offset = packHeaderBytes
  return objects.map(({ id, crc32, bytes }) => {
    const object = { id, crc32, offset }
    offset += bytes.length
    return object
  })
}
