/** A file or a directory, whatever names lead to it. */
export type Node = number

export const rootNode: Node = 0

/** A name that is given or taken away; all of one change become true together. */
export interface NameChange {
  readonly directory: Node
  readonly name: string
  readonly node: Node | undefined
}

export type Change =
  | { readonly kind: 'write'; readonly file: Node; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'resize'; readonly file: Node; readonly sizeBytes: number }
  | { readonly kind: 'names'; readonly names: readonly NameChange[] }

/** What was done, between two lines of the record. */
export interface Operation {
  readonly begun: number
  readonly ended: number
  readonly change: Change
}

/** A flush that succeeded, of one file or directory. */
export interface Flush {
  readonly begun: number
  readonly ended: number
  readonly node: Node
}

/** A tree of files: bytes of each file, names of each directory. */
export interface Disk {
  readonly files: ReadonlyMap<Node, Buffer>
  readonly directories: ReadonlyMap<Node, ReadonlyMap<string, Node>>
}

/** How much of an operation is on the disk; of a write it may be the length without the bytes. */
export type Part = 'whole' | 'length' | 'none'

/** What is on a disk once these parts of the operations are done to it. */
export function diskAfter(
  disk: Disk,
  operations: readonly Operation[],
  partOf: (index: number) => Part,
): Disk {
  const files = new Map(disk.files)
  const directories = new Map([...disk.directories].map(([node, names]) => [node, new Map(names)]))
  const own = new Map<Node, GrowingBytes>()
  for (const [index, { change }] of operations.entries()) {
    const part = partOf(index)
    if (part === 'none') continue
    if (change.kind === 'names') applyNames(directories, change.names)
    else {
      const bytes = own.get(change.file) ?? new GrowingBytes(files.get(change.file))
      own.set(change.file, bytes)
      if (change.kind === 'resize') bytes.resize(change.sizeBytes)
      else bytes.write(change.offset, part === 'whole' ? change.bytes : change.bytes.length)
    }
  }
  for (const [node, bytes] of own) files.set(node, bytes.all)
  return { files, directories }
}

function applyNames(directories: Map<Node, Map<string, Node>>, names: readonly NameChange[]): void {
  for (const { directory, name, node } of names) {
    const of = directories.get(directory) ?? new Map<string, Node>()
    directories.set(directory, of)
    if (node === undefined) of.delete(name)
    else of.set(name, node)
  }
}

/** A log gets its bytes in thousands of writes: that must not copy all of it each time. */
class GrowingBytes {
  #room: Buffer
  #size: number

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#room = Buffer.from(bytes)
    this.#size = bytes.length
  }

  get all(): Buffer {
    return this.#room.subarray(0, this.#size)
  }

  /** What is new and not written is zeros. */
  resize(sizeBytes: number): void {
    if (sizeBytes > this.#room.length)
      this.#room = Buffer.concat([this.#room, Buffer.alloc(2 * sizeBytes - this.#room.length)])
    if (sizeBytes < this.#size) this.#room.fill(0, sizeBytes, this.#size)
    this.#size = sizeBytes
  }

  /** Bytes, or a number of them that were never written. */
  write(offset: number, bytes: Buffer | number): void {
    const end = offset + (typeof bytes === 'number' ? bytes : bytes.length)
    if (end > this.#size) this.resize(end)
    if (typeof bytes !== 'number') bytes.copy(this.#room, offset)
  }
}

/** What can be reached by a name: of files the bytes, `undefined` for a directory. */
export function filesByPath(
  { files, directories }: Disk,
  isDirectory: (node: Node) => boolean,
): ReadonlyMap<string, Buffer | undefined> {
  const found = new Map<string, Buffer | undefined>()
  const visit = (node: Node, path: string): void => {
    for (const [name, child] of directories.get(node) ?? []) {
      const below = path === '' ? name : `${path}/${name}`
      if (isDirectory(child)) {
        found.set(below, undefined)
        visit(child, below)
      } else found.set(below, files.get(child) ?? Buffer.alloc(0))
    }
  }
  visit(rootNode, '')
  return found
}
