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
  const own = new Set<Node>()
  for (const [index, { change }] of operations.entries()) {
    const part = partOf(index)
    if (part === 'none') continue
    if (change.kind === 'names') applyNames(directories, change.names)
    else {
      const bytes = files.get(change.file) ?? Buffer.alloc(0)
      const mine = own.has(change.file) ? bytes : Buffer.from(bytes)
      own.add(change.file)
      files.set(change.file, changed(mine, change, part))
    }
  }
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

function changed(
  bytes: Buffer,
  change: Exclude<Change, { readonly kind: 'names' }>,
  part: Part,
): Buffer {
  if (change.kind === 'resize') return resized(bytes, change.sizeBytes)
  const end = change.offset + change.bytes.length
  const large = end > bytes.length ? resized(bytes, end) : bytes
  if (part === 'whole') change.bytes.copy(large, change.offset)
  return large
}

const resized = (bytes: Buffer, sizeBytes: number): Buffer =>
  sizeBytes <= bytes.length
    ? Buffer.from(bytes.subarray(0, sizeBytes))
    : Buffer.concat([bytes, Buffer.alloc(sizeBytes - bytes.length)])

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
