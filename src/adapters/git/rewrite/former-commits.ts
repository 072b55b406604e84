import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { ifPresent } from '../../../lib/files/file-faults.ts'
import { writeFileDurably } from '../../../lib/files/durable-files.ts'
import { streamGit } from '../objects/git-command.ts'
import { objectIdPattern } from '../objects/object-id.ts'
import { linesOf } from '../lfs/pointers-in.ts'

/** The header of a commit that says what its id was, once for each time it was rewritten. */
export const formerHeader = 'former'

/** Whether a line of a commit, as `rev-list --header` writes it, is that header. Lines of messages are indented. */
export const claimsFormerId = (line: string): boolean => line.startsWith(`${formerHeader} `)

const fileName = 'sedge-former-commits'
/** What the file is to be once the branch stands where its first line says. */
const nextName = `${fileName}-next`
const idBytes = 20
const pairBytes = 2 * idBytes

/** Former ids and what they are now, sorted by the former: 40 bytes a commit. */
export class FormerCommits {
  readonly #repository: string
  #pairs: Buffer = Buffer.alloc(0)

  private constructor(repository: string) {
    this.#repository = repository
  }

  /**
   * Every commit says what its id was, so that clones and copies know it too; the file saves asking all of them at
   * each start. `head` is where the branch main is.
   */
  static async open(repository: string, head: string | undefined): Promise<FormerCommits> {
    const former = new FormerCommits(repository)
    await former.#settle(head)
    const kept = await ifPresent(readFile(join(repository, fileName)))
    if (kept !== undefined && kept.length % pairBytes === 0) former.#pairs = kept
    else {
      former.#pairs = await pairsInHistory(repository)
      await writeFileDurably(join(repository, fileName), former.#pairs)
    }
    return former
  }

  /** The same for whoever writes nothing there, of the commits that lead to `head`. */
  static async read(repository: string, head: string): Promise<FormerCommits> {
    const former = new FormerCommits(repository)
    const kept = await ifPresent(readFile(join(repository, fileName)))
    const isWhole = kept !== undefined && kept.length % pairBytes === 0
    former.#pairs = isWhole ? kept : await pairsInHistory(repository, head)
    return former
  }

  /** Of a repository without commits. */
  static none(repository: string): FormerCommits {
    return new FormerCommits(repository)
  }

  /** Has it asked of the commits again, after they came from elsewhere. */
  static async forget(repository: string): Promise<void> {
    await rm(join(repository, fileName), { force: true })
  }

  get count(): number {
    return this.#pairs.length / pairBytes
  }

  /** The id that a commit has now; its own where it never had another. */
  resolve<T extends string | undefined>(id: T): T | string {
    if (id === undefined || this.#pairs.length === 0 || !objectIdPattern.test(id)) return id
    const wanted = Buffer.from(id, 'hex')
    const place = this.#firstFrom(wanted)
    return this.#formerAt(place)?.equals(wanted) === true ? this.#newAt(place) : id
  }

  isFormer(id: string): boolean {
    return this.resolve(id) !== id
  }

  /** Whether it had another id. Looks at all of them. */
  isNew(id: string): boolean {
    for (let place = 0; place < this.count; place += 1) if (this.#newAt(place) === id) return true
    return false
  }

  /** All ids of the commit that has this one, or had it; the one it has now comes first. Looks at all of them. */
  idsOf(id: string): readonly string[] {
    const now = this.resolve(id)
    const ids = [now]
    for (let place = 0; place < this.count; place += 1)
      if (this.#newAt(place) === now) ids.push(this.#formerAt(place)?.toString('hex') ?? '')
    return ids
  }

  /** What former ids that begin with these digits are now, each once, at most `limit`. */
  beginningWith(digits: string, limit: number): readonly string[] {
    const found = new Set<string>()
    const first = Buffer.from(digits.padEnd(2 * idBytes, '0'), 'hex')
    for (let place = this.#firstFrom(first); found.size < limit; place += 1) {
      const former = this.#formerAt(place)?.toString('hex')
      if (former?.startsWith(digits) !== true) break
      found.add(this.#newAt(place))
    }
    return [...found]
  }

  /** Writes what will be known once the branch is at `head`. */
  async prepare(newByFormer: ReadonlyMap<string, string>, head: string): Promise<void> {
    const next = Buffer.concat([Buffer.from(head, 'hex'), this.#with(newByFormer)])
    await writeFileDurably(join(this.#repository, nextName), next)
  }

  /** Takes up what was prepared where the branch is there now, and drops it where it is not. */
  async #settle(head: string | undefined): Promise<void> {
    const path = join(this.#repository, nextName)
    const next = await ifPresent(readFile(path))
    if (next === undefined) return
    if (next.subarray(0, idBytes).toString('hex') === head) await this.#keep(next.subarray(idBytes))
    await rm(path, { force: true })
  }

  async commit(head: string): Promise<void> {
    await this.#settle(head)
  }

  async #keep(pairs: Buffer): Promise<void> {
    await writeFileDurably(join(this.#repository, fileName), pairs)
    this.#pairs = Buffer.from(pairs)
  }

  /** What led to a commit that has another id by now leads on to that. */
  #with(newByFormer: ReadonlyMap<string, string>): Buffer {
    const all = new Map(newByFormer)
    for (let place = 0; place < this.count; place += 1) {
      const former = this.#formerAt(place)?.toString('hex') ?? ''
      const now = this.#newAt(place)
      if (!all.has(former)) all.set(former, newByFormer.get(now) ?? now)
    }
    return pairsOf(all)
  }

  /** The place of the first pair whose former id is `id` or comes after it. */
  #firstFrom(id: Buffer): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (Buffer.compare(this.#formerAt(middle) ?? id, id) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #formerAt(place: number): Buffer | undefined {
    const start = place * pairBytes
    return start < this.#pairs.length ? this.#pairs.subarray(start, start + idBytes) : undefined
  }

  #newAt(place: number): string {
    const start = place * pairBytes + idBytes
    return this.#pairs.toString('hex', start, start + idBytes)
  }
}

function pairsOf(newByFormer: ReadonlyMap<string, string>): Buffer {
  const rows = [...newByFormer].map(([former, now]) => Buffer.from(former + now, 'hex'))
  return Buffer.concat(rows.toSorted((one, other) => Buffer.compare(one, other)))
}

/** Goes through every commit once. */
async function pairsInHistory(repository: string, of = '--all'): Promise<Buffer> {
  const newByFormer = new Map<string, string>()
  let id = ''
  const listing = ['rev-list', of, '--header']
  for await (const line of linesOf(streamGit(repository, listing))) {
    // Each commit but the first begins behind the NUL that ends the one before.
    const start = line.lastIndexOf('\0') + 1
    const text = line.slice(start)
    if (start > 0 || id === '') id = objectIdPattern.test(text) ? text : id
    const former = text.startsWith(`${formerHeader} `) ? text.slice(formerHeader.length + 1) : ''
    if (objectIdPattern.test(former)) newByFormer.set(former, id)
  }
  return pairsOf(newByFormer)
}
