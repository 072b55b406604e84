import { readdir, readFile, stat } from 'node:fs/promises'
import { join, posix, relative } from 'node:path'

import { ifPresent } from '../../../lib/files/file-faults.ts'
import type {
  LargeBlob,
  RepositoryState,
  SourceFile,
} from '../../../ports/backups/backup-source.ts'
import { parsePointer } from '../lfs/pointer.ts'
import { pointersIn } from '../lfs/pointers-in.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { lineRefs } from '../read/commit-names.ts'

type Small = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** What the repository is called below the data directory. */
const home = 'repository.git'
/** Packs that are joined all the time, or a disk that fails, are given up on. */
const mostListings = 20

/**
 * What is made again or belongs to a process: locks, files in the making, pushes under way, graphs of commits, and
 * the list of former commits, each of which says itself what it was.
 */
const leftOut =
  /^sedge-(?:joining|next-|pushes|former-commits)|(?:^|\/)\.?tmp[-_]|\.lock$|\.new$|^objects\/(?:info\/commit-graphs?|pack\/multi-pack-index)|\.bitmap$|^lfs\/tmp|^FETCH_HEAD$|^gc\./u
const packFile = /^objects\/pack\/pack-([0-9a-f]{40})\.(pack|idx|rev)$/u
const object = /^(?:objects\/[0-9a-f]{2}\/[0-9a-f]{38}|lfs\/objects\/.+)$/u

/** The files of a repository that others go on writing. */
export class RepositoryFiles {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** The references of previews, by their paths below the data directory. */
  async references(): Promise<Small> {
    return await this.#small((path) => path.startsWith(lineRefs))
  }

  /**
   * What may change is read first, so that all it leads to is in the files. References in `before` that are gone
   * since are among it: rows of before speak of them.
   */
  async state(before: Small): Promise<RepositoryState> {
    const now = await this.#small((path) => !packFile.test(path) && !object.test(path))
    const packed = new TextDecoder().decode(now.get(`${home}/packed-refs`) ?? new Uint8Array())
    const gone = [...before].filter(
      ([path]) => !packed.includes(` ${path.slice(home.length + 1)}\n`),
    )
    return { small: new Map([...gone, ...now]), files: await this.#objects() }
  }

  /** What every pointer stands for, whichever commit has it. */
  async *largeBlobs(): AsyncIterable<LargeBlob> {
    await using objects = new ObjectReader(this.#directory)
    yield* pointersIn(this.#directory, {
      async pointer(id) {
        const found = await objects.read(id)
        return found?.kind === 'blob' ? parsePointer(found.body) : undefined
      },
    })
  }

  /** A listing misses what comes while it is made: only one of which nothing vanished is whole. */
  async #objects(): Promise<readonly SourceFile[]> {
    let former = await this.#list()
    for (let attempt = 1; attempt < mostListings; attempt += 1) {
      const found = await this.#list()
      const paths = new Set(found)
      if (former.every((path) => paths.has(path))) return await this.#described(found)
      former = found
    }
    throw new Error('The packs of the repository change too often to be copied')
  }

  /** Loose objects, and packs that have an index: git sees no others. */
  async #list(): Promise<readonly string[]> {
    const all = (await this.#paths()).filter((path) => packFile.test(path) || object.test(path))
    const there = new Set(all)
    return all.filter(
      (path) =>
        !packFile.test(path) ||
        (there.has(ofPack(path, '.idx')) && there.has(ofPack(path, '.pack'))),
    )
  }

  async #described(paths: readonly string[]): Promise<readonly SourceFile[]> {
    const files: SourceFile[] = []
    for (const path of paths) {
      const location = join(this.#directory, path)
      const { size } = await stat(location)
      files.push({ path: posix.join(home, path), sizeBytes: size, isImmutable: true, location })
    }
    return files
  }

  async #small(isWanted: (path: string) => boolean): Promise<Small> {
    const found = new Map<string, Uint8Array<ArrayBuffer>>()
    // Loose references before packed ones: git writes those first that others are then removed for.
    for (const path of (await this.#paths()).filter(isWanted).toSorted(packedLast)) {
      const bytes = await ifPresent(readFile(join(this.#directory, path)))
      if (bytes === undefined) continue
      found.set(posix.join(home, path), new Uint8Array(bytes))
    }
    return found
  }

  /** Every file that is backed up, relative to the repository, in the order of their names. */
  async #paths(): Promise<readonly string[]> {
    const entries = await ifPresent(
      readdir(this.#directory, { recursive: true, withFileTypes: true }),
    )
    return (entries ?? [])
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(this.#directory, join(parentPath, name)))
      .filter((path) => !leftOut.test(path))
      .toSorted()
  }
}

const ofPack = (path: string, ending: string) => path.replace(/\.(?:pack|idx|rev)$/u, ending)

const packedLast = (a: string, b: string): number =>
  Number(a === 'packed-refs') - Number(b === 'packed-refs') || (a < b ? -1 : 1)
