import type { AssetRecord } from '../../ports/records/asset.ts'

/** From when to when the assets below a directory were made and changed. */
export interface DirectoryDates {
  readonly createdAt: Date
  readonly changedAt: Date
}

/** How much is below a directory, at any depth. */
export interface DirectorySums {
  readonly fileCount: number
  readonly sizeBytes: number
  /** The files in the directory itself. */
  readonly ownFileCount: number
  /** The directories directly in it. */
  readonly directoryCount: number
}

export interface DirectoryFacts extends DirectoryDates, DirectorySums {}

export const nothingBelow: DirectorySums = {
  fileCount: 0,
  sizeBytes: 0,
  ownFileCount: 0,
  directoryCount: 0,
}

/** The directories that have assets, and what is below each. */
export interface DirectoryTree {
  /** `directory` is the one that the asset is in. */
  add(record: AssetRecord, directory: string): void
  remove(record: AssetRecord): void
  /** The directories in `directory`, by their own names; in no order. */
  directoriesIn(directory: string): ReadonlyMap<string, DirectoryFacts>
  /** All zero where there is no such directory. Costs nothing, however much is below. */
  sumsOf(directory: string): DirectorySums
}

interface Node {
  readonly path: string
  readonly parent: Node | undefined
  readonly children: Map<string, Node>
  /** Of the assets below, at any depth. */
  fileCount: number
  sizeBytes: number
  ownFileCount: number
  createdAtMs: number
  changedAtMs: number
  /** Whether the asset that had the oldest or the newest date is gone, so that both must be looked up. */
  isStale: boolean
}

interface Dependencies {
  /** Every asset below a directory, at any depth. */
  readonly recordsBelow: (directory: string) => readonly AssetRecord[]
}

export function createDirectoryTree({ recordsBelow }: Dependencies): DirectoryTree {
  const nodeByPath = new Map<string, Node>()

  function open(path: string): Node {
    const known = nodeByPath.get(path)
    if (known) return known
    const parent = path === '' ? undefined : open(directoryOf(path))
    const node = emptyNode(path, parent)
    nodeByPath.set(path, node)
    parent?.children.set(lastSegmentOf(path), node)
    return node
  }

  function close(node: Node) {
    nodeByPath.delete(node.path)
    node.parent?.children.delete(lastSegmentOf(node.path))
  }

  function datesOf(node: Node): DirectoryDates {
    if (node.isStale) refresh(node)
    return { createdAt: new Date(node.createdAtMs), changedAt: new Date(node.changedAtMs) }
  }

  function refresh(node: Node) {
    node.createdAtMs = Number.POSITIVE_INFINITY
    node.changedAtMs = Number.NEGATIVE_INFINITY
    for (const record of recordsBelow(node.path)) widen(node, datesOfAsset(record))
    node.isStale = false
  }

  return {
    add(record, directory) {
      let node: Node | undefined = open(directory)
      node.ownFileCount += 1
      const dates = datesOfAsset(record)
      for (; node; node = node.parent) {
        node.fileCount += 1
        node.sizeBytes += record.sizeBytes
        widen(node, dates)
      }
    },
    remove(record) {
      let node = nodeByPath.get(directoryOf(record.path))
      if (node) node.ownFileCount -= 1
      for (; node; node = node.parent) {
        node.fileCount -= 1
        node.sizeBytes -= record.sizeBytes
        if (node.fileCount === 0) close(node)
        else if (isExtreme(node, record)) node.isStale = true
      }
    },
    directoriesIn(directory) {
      const children = nodeByPath.get(directory)?.children ?? new Map<string, Node>()
      return new Map(
        children.entries().map(([name, node]) => [name, { ...datesOf(node), ...sums(node) }]),
      )
    },
    sumsOf(directory) {
      const node = nodeByPath.get(directory)
      return node === undefined ? nothingBelow : sums(node)
    },
  }
}

const emptyNode = (path: string, parent: Node | undefined): Node => ({
  path,
  parent,
  children: new Map(),
  fileCount: 0,
  sizeBytes: 0,
  ownFileCount: 0,
  createdAtMs: Number.POSITIVE_INFINITY,
  changedAtMs: Number.NEGATIVE_INFINITY,
  isStale: false,
})

const sums = ({ fileCount, sizeBytes, ownFileCount, children }: Node): DirectorySums => ({
  fileCount,
  sizeBytes,
  ownFileCount,
  directoryCount: children.size,
})

type AssetDates = Readonly<Pick<Node, 'createdAtMs' | 'changedAtMs'>>

const datesOfAsset = ({ createdAt, changedAt }: AssetRecord): AssetDates => ({
  createdAtMs: createdAt.getTime(),
  changedAtMs: changedAt.getTime(),
})

function widen(node: Node, { createdAtMs, changedAtMs }: AssetDates) {
  node.createdAtMs = Math.min(node.createdAtMs, createdAtMs)
  node.changedAtMs = Math.max(node.changedAtMs, changedAtMs)
}

function isExtreme(node: Node, record: AssetRecord): boolean {
  const { createdAtMs, changedAtMs } = datesOfAsset(record)
  return createdAtMs <= node.createdAtMs || changedAtMs >= node.changedAtMs
}

export const directoryOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/')))

const lastSegmentOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
