import { foldName } from '../../../lib/text/fold-name.ts'

export type EntryKind = 'file' | 'directory' | 'other'

/** `other` is what the service does not serve: symbolic links and submodules. */
export interface Entry {
  readonly kind: EntryKind
  readonly id: string
}

/** An entry of two directories, as each has it. */
export interface DifferingEntry {
  readonly name: string
  readonly before: Entry | undefined
  readonly after: Entry | undefined
}

const space = 0x20
const slash = 0x2f
const [zero, one, four] = [0x30, 0x31, 0x34]
const idBytes = 20
const shortestEntryBytes = '40000 x\0'.length + idBytes

/**
 * One directory as git keeps it, bytes and all, with the place of each entry: about 50 bytes a file.
 * Never changes; {@link Directory.with} makes the next one.
 */
export class Directory {
  /** Git's own tree object, without its header. */
  readonly bytes: Buffer
  readonly #offsets: Uint32Array
  /**
   * Hashes of the folded names this directory and those it was made from have held: a name whose hash
   * is missing has no other spelling here. Shared along the line, so that a new version costs nothing.
   */
  #foldedHashes: Set<number> | undefined
  /** The last name that was asked for again and again. */
  #often: { readonly name: string; readonly entry: Entry | undefined } | undefined

  constructor(bytes: Buffer, offsets = findEntries(bytes), foldedHashes?: Set<number>) {
    this.bytes = bytes
    this.#offsets = offsets
    this.#foldedHashes = foldedHashes
  }

  get count(): number {
    return this.#offsets.length - 1
  }

  /** What keeping this in memory costs, the hashes of folded names allowed for. */
  get weightBytes(): number {
    return this.bytes.length + this.count * 24 + 500
  }

  find(name: string): Entry | undefined {
    const bytes = Buffer.from(name)
    const file = this.#search(bytes, 0)
    if (file >= 0) return this.#entryAt(file)
    const directory = this.#search(bytes, slash)
    return directory >= 0 ? this.#entryAt(directory) : undefined
  }

  /** As {@link find}, for the one name that every walk through the directory asks for. */
  findOften(name: string): Entry | undefined {
    if (this.#often?.name !== name) this.#often = { name, entry: this.find(name) }
    return this.#often.entry
  }

  /** Every entry whose name is UTF-8, in git's order; the others cannot be named by a path. */
  *entries(): Generator<Entry & { readonly name: string }, void, undefined> {
    for (let index = 0; index < this.count; index += 1) {
      const name = this.#nameAt(index)
      if (name !== undefined) yield { name, ...this.#entryAt(index) }
    }
  }

  /** What differs from another directory: entries of either that the other has not, by name, in git's order. */
  *differing(other: Directory): Generator<DifferingEntry, void, undefined> {
    let own = 0
    let foreign = 0
    while (own < this.count || foreign < other.count) {
      if (this.#isSameEntry(own, other, foreign)) {
        own += 1
        foreign += 1
        continue
      }
      const order = this.#order(own, other, foreign)
      const name = order <= 0 ? this.#nameAt(own) : other.#nameAt(foreign)
      const before = order <= 0 ? this.#entryAt(own) : undefined
      const after = order >= 0 ? other.#entryAt(foreign) : undefined
      if (order <= 0) own += 1
      if (order >= 0) foreign += 1
      if (name !== undefined) yield { name, before, after }
    }
  }

  /** Mode, name and id at once: most entries are as they were, and are not taken apart. */
  #isSameEntry(own: number, other: Directory, foreign: number): boolean {
    if (own >= this.count || foreign >= other.count) return false
    const [start, end] = [this.#offset(own), this.#offset(own + 1)]
    const [otherStart, otherEnd] = [other.#offset(foreign), other.#offset(foreign + 1)]
    if (end - start !== otherEnd - otherStart) return false
    return this.bytes.compare(other.bytes, otherStart, otherEnd, start, end) === 0
  }

  /** Which of two entries comes first, the one here below 0; what is at an end comes last. */
  #order(own: number, other: Directory, foreign: number): number {
    if (own >= this.count) return 1
    if (foreign >= other.count) return -1
    const name = other.bytes.subarray(other.#nameStart(foreign), other.#nameEnd(foreign))
    return this.#compare(own, name, other.#terminatorAt(foreign))
  }

  /** `name` in the spelling of the entry that differs from it by letter case or Unicode form alone. */
  spellingOf(name: string): string | undefined {
    if (this.find(name)) return name
    const folded = foldName(name)
    this.#foldedHashes ??= this.#hashNames()
    if (!this.#foldedHashes.has(Bun.hash.xxHash32(folded))) return undefined
    for (const entry of this.entries()) if (foldName(entry.name) === folded) return entry.name
    return undefined
  }

  /** This directory with some names set to other entries, or without them. */
  with(edits: ReadonlyMap<string, Entry | undefined>): Directory {
    const splices = [...edits].flatMap(([name, entry]) => this.#splicesFor(name, entry))
    splices.sort(bySplicePlace)
    const size = splices.reduce((sum, splice) => sum + this.#growth(splice), this.bytes.length)
    const count = splices.reduce((sum, { added }) => sum + (added ? 1 : -1), this.count)
    const copy = new DirectoryCopy(size, count)
    let next = 0
    for (const { index, added } of splices) {
      copy.range(this.bytes, this.#offsets.subarray(next, index + 1))
      if (added) copy.entry(added)
      next = added ? index : index + 1
    }
    copy.range(this.bytes, this.#offsets.subarray(next))
    if (this.#foldedHashes)
      for (const name of edits.keys()) this.#foldedHashes.add(Bun.hash.xxHash32(foldName(name)))
    return new Directory(copy.bytes, copy.offsets, this.#foldedHashes)
  }

  #splicesFor(name: string, entry: Entry | undefined): Splice[] {
    const bytes = Buffer.from(name)
    const splices: Splice[] = []
    for (const terminator of [0, slash]) {
      const index = this.#search(bytes, terminator)
      const isHere = (entry?.kind === 'directory') === (terminator === slash)
      if (entry && isHere)
        splices.push({
          index: index < 0 ? ~index : index,
          added: encode(bytes, entry),
          bytes,
          terminator,
        })
      if (index >= 0) splices.push({ index, added: undefined, bytes, terminator })
    }
    return splices
  }

  #growth({ index, added }: Splice): number {
    return added ? added.length : this.#offset(index) - this.#offset(index + 1)
  }

  /** The index of the entry, or the bit complement of where it would be. */
  #search(name: Buffer, terminator: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = this.#compare(middle, name, terminator)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return ~low
  }

  /**
   * Git orders names as if directories ended in a slash. Byte by byte: names are short, and what compares
   * long ones takes longer to be called.
   */
  #compare(index: number, name: Uint8Array, terminator: number): number {
    const start = this.#nameStart(index)
    const length = this.#nameEnd(index) - start
    const shared = Math.min(length, name.length)
    for (let at = 0; at < shared; at += 1) {
      const order = this.bytes[start + at]! - name[at]!
      if (order !== 0) return order
    }
    const own = length > shared ? this.bytes[start + shared]! : this.#terminatorAt(index)
    const other = name.length > shared ? name[shared]! : terminator
    return own - other
  }

  #terminatorAt(index: number): number {
    return this.#kindAt(index) === 'directory' ? slash : 0
  }

  #entryAt(index: number): Entry {
    const end = this.#offset(index + 1)
    return { kind: this.#kindAt(index), id: this.bytes.toString('hex', end - idBytes, end) }
  }

  /** By the first digits of its mode: 40000, which older programs wrote as 040000, or 100…. */
  #kindAt(index: number): EntryKind {
    const start = this.#offset(index)
    const first = this.bytes[start]
    const second = this.bytes[start + 1]
    if (first === four || (first === zero && second === four)) return 'directory'
    return first === one && second === zero ? 'file' : 'other'
  }

  #nameAt(index: number): string | undefined {
    const start = this.#nameStart(index)
    const end = this.#nameEnd(index)
    const name = this.bytes.toString('utf8', start, end)
    if (!name.includes('\ufffd')) return name
    return this.bytes.compare(Buffer.from(name), undefined, undefined, start, end) === 0
      ? name
      : undefined
  }

  #nameStart(index: number): number {
    let at = this.#offset(index)
    while (this.bytes[at] !== space) at += 1
    return at + 1
  }

  #nameEnd(index: number): number {
    return this.#offset(index + 1) - idBytes - 1
  }

  #offset(index: number): number {
    return this.#offsets[index] ?? this.bytes.length
  }

  #hashNames(): Set<number> {
    const hashes = new Set<number>()
    for (const { name } of this.entries()) hashes.add(Bun.hash.xxHash32(foldName(name)))
    return hashes
  }
}

/** `added` goes in front of the entry at `index`; where there is nothing to add, that entry goes. */
interface Splice {
  readonly index: number
  readonly added: Buffer | undefined
  readonly bytes: Buffer
  readonly terminator: number
}

function bySplicePlace(a: Splice, b: Splice): number {
  if (a.index !== b.index) return a.index - b.index
  if (!a.added || !b.added) return (a.added ? 0 : 1) - (b.added ? 0 : 1)
  return Buffer.compare(
    Buffer.concat([a.bytes, Buffer.of(a.terminator)]),
    Buffer.concat([b.bytes, Buffer.of(b.terminator)]),
  )
}

/** A tree object being put together out of stretches of another and new entries. */
class DirectoryCopy {
  readonly bytes: Buffer
  readonly offsets: Uint32Array
  #end = 0
  #count = 0

  constructor(sizeBytes: number, count: number) {
    this.bytes = Buffer.allocUnsafeSlow(sizeBytes)
    this.offsets = new Uint32Array(count + 1)
  }

  /** The entries that begin at `offsets`, whose last is where they end. */
  range(source: Buffer, offsets: Uint32Array): void {
    const start = offsets[0] ?? 0
    const end = offsets.at(-1) ?? start
    source.copy(this.bytes, this.#end, start, end)
    const shift = this.#end - start
    for (let index = 0; index < offsets.length - 1; index += 1)
      this.offsets[this.#count + index] = (offsets[index] ?? 0) + shift
    this.#advance(Math.max(0, offsets.length - 1), end - start)
  }

  entry(bytes: Buffer): void {
    bytes.copy(this.bytes, this.#end)
    this.offsets[this.#count] = this.#end
    this.#advance(1, bytes.length)
  }

  #advance(count: number, sizeBytes: number): void {
    this.#count += count
    this.#end += sizeBytes
    this.offsets[this.#count] = this.#end
  }
}

function encode(name: Buffer, { kind, id }: Entry): Buffer {
  const mode = kind === 'directory' ? '40000 ' : '100644 '
  return Buffer.concat([Buffer.from(mode), name, Buffer.of(0), Buffer.from(id, 'hex')])
}

function findEntries(bytes: Buffer): Uint32Array {
  const offsets = new Uint32Array(Math.floor(bytes.length / shortestEntryBytes) + 1)
  let count = 0
  let end = 0
  while (end < bytes.length) {
    end = bytes.indexOf(0, end) + 1 + idBytes
    count += 1
    offsets[count] = end
  }
  return offsets.slice(0, count + 1)
}
