import { existsSync, type Stats, statSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { KeyedQueue } from '../async/keyed-queue.ts'
import { createSingleFlight, type SingleFlight } from '../async/single-flight.ts'
import {
  filesIn,
  type FoundFile,
  hashFile,
  moveTo,
  type NameMeaning,
  noteUse,
  writeHashed,
} from './content-folders.ts'
import { ifPresent } from './file-faults.ts'

export interface ContentFilesOptions {
  /** Files lie in folders below it by how their names begin, those on their way in in `incoming`. */
  readonly directory: string
  /** The files used longest ago leave until the others weigh no more. The newest always stays. */
  readonly maxBytes: number
  /** Milliseconds: of the wall clock where the directory is shared, else of any clock. */
  readonly now: () => number
  /** A file outlives its last use by this long, a minute by default: somebody may be about to open it. */
  readonly graceMs?: number
  /**
   * Whether other processes use the directory too. The times of the files then tell each what the others
   * use, noted once a minute, and the bound is kept to within a twentieth.
   */
  readonly isShared?: boolean
  /** By default a file is named by the SHA-256 of its bytes and nothing else. */
  readonly meaningOf?: (name: string) => NameMeaning | undefined
  /** Hears of a file that leaves without the caller's asking: for want of room, or lost, or damaged. */
  readonly onEvict?: (name: string) => void
}

export interface ContentFile {
  readonly path: string
  readonly sizeBytes: number
}

/** What came has another SHA-256 than it was asked for by. */
export class WrongContentError extends Error {
  override readonly name = 'WrongContentError'
}

interface Known {
  readonly sizeBytes: number
  readonly modifiedAtMs: number
  usedAt: number
  readonly isChecked: boolean
}

const notedEveryMs = 60_000
const usualGraceMs = 60_000
const sha256Pattern = /^[0-9a-f]{64}$/u
/** By default. */
export const namedBySha256 = (name: string): NameMeaning | undefined =>
  sha256Pattern.test(name) ? { digest: name } : undefined

/** Takes up what an earlier process has left, for a process that may empty `incoming`. */
export async function openContentFiles(options: ContentFilesOptions): Promise<ContentFiles> {
  const files = new ContentFiles(options)
  await files.takeUp()
  return files
}

/**
 * Files whose names say what is in them, so that each can be checked and none ever changes. Nothing is
 * flushed: a file that an earlier process left is hashed before its first use, and one that a power cut
 * or somebody has spoilt is removed instead of used.
 */
export class ContentFiles implements AsyncDisposable {
  readonly #options: ContentFilesOptions
  readonly #meaningOf: (name: string) => NameMeaning | undefined
  /** The one used longest ago first. */
  readonly #kept = new Map<string, Known>()
  /** No longer counted, but there until their grace is over; the one used longest ago first. */
  readonly #leaving = new Map<string, Known>()
  readonly #filling: SingleFlight<ContentFile | undefined> = createSingleFlight()
  /** What is done to the file of one name is done in turn. */
  readonly #turns = new KeyedQueue()
  #timer: Timer | undefined
  #sizeBytes = 0
  #addedBytes = 0

  constructor(options: ContentFilesOptions) {
    this.#options = options
    this.#meaningOf = options.meaningOf ?? namedBySha256
  }

  /** Of what is to stay; in a shared directory only of what this process has used. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  names(): Iterable<string> {
    return this.#kept.keys()
  }

  async takeUp(): Promise<void> {
    const incoming = join(this.#options.directory, 'incoming')
    await rm(incoming, { recursive: true, force: true })
    await mkdir(incoming, { recursive: true })
    if (this.#options.isShared === true) return
    const found = (
      await Array.fromAsync(filesIn(this.#options.directory, this.#meaningOf))
    ).toSorted(byTime)
    for (const { name, ...file } of found)
      this.#hold(name, { ...file, usedAt: Number.NEGATIVE_INFINITY, isChecked: false })
  }

  /** Whether the file is here, as far as is known; then it stays for at least its grace more. */
  touch(name: string): boolean {
    const known = this.#kept.get(name) ?? this.#takeBack(name)
    if (known === undefined) return false
    const now = this.#options.now()
    if (this.#options.isShared !== true) {
      known.usedAt = now
      this.#kept.delete(name)
      this.#kept.set(name, known)
      return true
    }
    if (Math.abs(now - known.usedAt) < notedEveryMs) return true
    known.usedAt = now
    if (existsSync(this.pathOf(name))) void noteUse(this.pathOf(name), now)
    else this.#lose(name)
    return this.#kept.has(name)
  }

  /** The file, which then stays for at least its grace, or `undefined` where none is right. */
  async find(name: string): Promise<ContentFile | undefined> {
    if (this.#meaningOf(name) === undefined) return undefined
    const path = this.pathOf(name)
    const found = await ifPresent(stat(path))
    if (found !== undefined && this.#isChecked(name, found) && this.touch(name))
      return { path, sizeBytes: found.size }
    return await this.#turns.run(name, () => this.#check(name))
  }

  /**
   * The file, or else what `fetch` brings, once for all who ask for it: `undefined` where that brings
   * nothing. Rejects as `fetch` does, as the disk does, and with {@link WrongContentError}.
   */
  async fill(
    name: string,
    fetch: () => Promise<AsyncIterable<Uint8Array> | undefined>,
  ): Promise<ContentFile | undefined> {
    if (this.#meaningOf(name) === undefined) return undefined
    const found = await this.find(name)
    if (found !== undefined) return found
    return await this.#filling.share(name, () => this.#receive(name, fetch))
  }

  /** The bytes, hashed now, or `undefined` where there are none that are right. */
  async read(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (this.#at(name) === undefined) return undefined
    const bytes = await Bun.file(this.pathOf(name))
      .bytes()
      .catch(() => undefined)
    if (bytes !== undefined && this.#isNameOf(name, new Bun.CryptoHasher('sha256').update(bytes)))
      return bytes
    this.#lose(name)
    await this.remove(name)
    return undefined
  }

  /** Whether the file looks as it did when it was taken in: one look at the disk, without hashing. */
  looksIntact(name: string): boolean {
    const found = statSync(this.pathOf(name), { throwIfNoEntry: false })
    return found !== undefined && this.#isChecked(name, found)
  }

  /** Hashes a file anew that looked wrong to whoever read it. Answers whether it was, and then removes it. */
  async removeIfDamaged(name: string): Promise<boolean> {
    if (this.#meaningOf(name) === undefined) return false
    return await this.#turns.run(name, async () => {
      const isThere = (await ifPresent(stat(this.pathOf(name)))) !== undefined
      if (!isThere || (await this.#hasItsContent(name))) return false
      await this.#removeDamaged(name)
      return true
    })
  }

  /** For a file that is to be {@link ContentFiles.adopt}ed. */
  newPath(): string {
    return join(this.#options.directory, 'incoming', crypto.randomUUID())
  }

  /** Takes a whole file over whose bytes are known to be those that the name says. */
  async adopt(incoming: string, name: string): Promise<ContentFile> {
    const path = this.pathOf(name)
    const { now, isShared } = this.#options
    const usedAt = now()
    if (isShared === true) await noteUse(incoming, usedAt)
    const { size: sizeBytes, mtimeMs: modifiedAtMs } = await stat(incoming)
    await this.#turns.run(name, async () => {
      await moveTo(incoming, path)
      this.#hold(name, { sizeBytes, modifiedAtMs, usedAt, isChecked: true })
    })
    if (isShared === true) await this.#makeRoomTogether(sizeBytes)
    return { path, sizeBytes }
  }

  /** Has a file leave once its grace is over, unless it is touched before. */
  evict(name: string): void {
    const known = this.#kept.get(name)
    if (known === undefined) return
    known.usedAt = this.#options.now()
    this.#leave(name, known)
  }

  /** Removes a file now, whoever is about to open it. */
  async remove(name: string): Promise<void> {
    this.#forget(name)
    await this.#unlink(name)
  }

  /** Removes every file now, also those that an earlier process has left. */
  async clear(): Promise<void> {
    for await (const { name } of filesIn(this.#options.directory, this.#meaningOf))
      await this.remove(name)
  }

  /** Resolves once every file is gone whose time was over. */
  async settled(): Promise<void> {
    await this.#turns.idle()
  }

  /** Lets go at once of what was to leave later. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    for (const name of this.#leaving.keys()) {
      this.#leaving.delete(name)
      void this.#unlink(name)
    }
    await this.settled()
  }

  pathOf(name: string): string {
    return join(this.#options.directory, name.slice(0, 2), name)
  }

  #at(name: string): Known | undefined {
    return this.#kept.get(name) ?? this.#leaving.get(name)
  }

  /** In a shared directory the time of a file says when it was used. */
  #isChecked(name: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>): boolean {
    const known = this.#at(name)
    if (known?.isChecked !== true || known.sizeBytes !== size) return false
    return this.#options.isShared === true || known.modifiedAtMs === mtimeMs
  }

  async #check(name: string): Promise<ContentFile | undefined> {
    const path = this.pathOf(name)
    const found = await ifPresent(stat(path))
    if (found === undefined) {
      this.#lose(name)
      return undefined
    }
    const { size: sizeBytes, mtimeMs } = found
    if (!this.#isChecked(name, found)) {
      if (!(await this.#hasItsContent(name))) return await this.#removeDamaged(name)
      this.#hold(name, { sizeBytes, modifiedAtMs: mtimeMs, usedAt: mtimeMs, isChecked: true })
    }
    this.touch(name)
    return { path, sizeBytes }
  }

  async #removeDamaged(name: string): Promise<undefined> {
    await rm(this.pathOf(name), { force: true })
    this.#lose(name)
  }

  async #hasItsContent(name: string): Promise<boolean> {
    const hasher = await ifPresent(hashFile(this.pathOf(name)))
    return hasher !== undefined && this.#isNameOf(name, hasher)
  }

  #isNameOf(name: string, hasher: Bun.CryptoHasher): boolean {
    const digest = this.#meaningOf(name)?.digest
    return digest !== undefined && hasher.digest('hex').startsWith(digest)
  }

  async #receive(
    name: string,
    fetch: () => Promise<AsyncIterable<Uint8Array> | undefined>,
  ): Promise<ContentFile | undefined> {
    // Somebody may have filled it since it was looked for.
    const found = await this.find(name)
    if (found !== undefined) return found
    const source = await fetch()
    if (source === undefined) return undefined
    const incoming = this.newPath()
    try {
      const hasher = await writeHashed(source, incoming)
      if (!this.#isNameOf(name, hasher)) throw new WrongContentError(`Other bytes came for ${name}`)
      return await this.adopt(incoming, name)
    } catch (error) {
      await rm(incoming, { force: true })
      throw error
    }
  }

  #hold(name: string, known: Known): void {
    this.#forget(name)
    this.#kept.set(name, known)
    this.#sizeBytes += known.sizeBytes
    if (this.#options.isShared === true) return
    for (const [oldest, other] of this.#kept) {
      if (this.#sizeBytes <= this.#options.maxBytes || oldest === name) return
      this.#leave(oldest, other)
      this.#options.onEvict?.(oldest)
    }
  }

  #leave(name: string, known: Known): void {
    this.#forget(name)
    this.#leaving.set(name, known)
    this.#unlinkOverdue()
  }

  #takeBack(name: string): Known | undefined {
    const known = this.#leaving.get(name)
    if (known !== undefined) this.#hold(name, known)
    return known
  }

  #forget(name: string): void {
    this.#sizeBytes -= this.#kept.get(name)?.sizeBytes ?? 0
    this.#kept.delete(name)
    this.#leaving.delete(name)
  }

  #lose(name: string): void {
    const wasKept = this.#kept.has(name)
    this.#forget(name)
    if (wasKept) this.#options.onEvict?.(name)
  }

  #unlinkOverdue(): void {
    clearTimeout(this.#timer)
    const { now, graceMs = usualGraceMs } = this.#options
    for (const [name, known] of this.#leaving) {
      // A clock that was put back must not keep files for ever.
      known.usedAt = Math.min(known.usedAt, now())
      const remainingMs = known.usedAt + graceMs - now()
      if (remainingMs > 0) {
        this.#timer = setTimeout(() => this.#unlinkOverdue(), remainingMs)
        this.#timer.unref()
        return
      }
      this.#leaving.delete(name)
      void this.#unlink(name)
    }
  }

  /** Where nobody has put the same bytes there again in between. What cannot be removed stays. */
  async #unlink(name: string): Promise<void> {
    await this.#turns.run(name, async () => {
      if (this.#at(name) === undefined) await rm(this.pathOf(name), { force: true }).catch(() => {})
    })
  }

  /** What this process added is weighed against the bound now and then: a look at all files takes its time. */
  async #makeRoomTogether(addedBytes: number): Promise<void> {
    const { directory, maxBytes, now, graceMs = usualGraceMs } = this.#options
    this.#addedBytes += addedBytes
    if (this.#addedBytes <= maxBytes / 20) return
    this.#addedBytes = 0
    const found = (await Array.fromAsync(filesIn(directory, this.#meaningOf))).toSorted(byTime)
    let sizeBytes = found.reduce((sum, file) => sum + file.sizeBytes, 0)
    for (const { name, modifiedAtMs, ...file } of found) {
      if (sizeBytes <= maxBytes) return
      // A clock that was put back must not keep files for ever.
      if (modifiedAtMs > now()) await noteUse(this.pathOf(name), now())
      if (modifiedAtMs > now() - graceMs) continue
      await this.remove(name)
      sizeBytes -= file.sizeBytes
    }
  }
}

const byTime = (one: FoundFile, other: FoundFile): number => one.modifiedAtMs - other.modifiedAtMs
