import type { AssetRecord } from '../../ports/records/asset.ts'

/** From when to when the assets below a directory were made and changed. */
export interface DirectoryDates {
  readonly createdAt: Date
  readonly changedAt: Date
}

/** The directories that have assets, and the dates of what is below each. */
export interface DirectoryTree {
  /** `directory` is the one that the asset is in. */
  add(record: AssetRecord, directory: string): void
  remove(record: AssetRecord): void
  /** The directories in `directory`, by their own names; in no order. */
  directoriesIn(directory: string): ReadonlyMap<string, DirectoryDates>
}

interface Node {
  readonly path: string
  readonly parent: Node | undefined
  readonly children: Map<string, Node>
  /** Of the assets below, at any depth. */
  fileCount: number
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
    const node: Node = {
      path,
      parent,
      children: new Map(),
      fileCount: 0,
      createdAtMs: Number.POSITIVE_INFINITY,
      changedAtMs: Number.NEGATIVE_INFINITY,
      isStale: false,
    }
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
    for (const record of recordsBelow(node.path)) widen(node, record)
    node.isStale = false
  }

  return {
    add(record, directory) {
      let node: Node | undefined = open(directory)
      for (; node; node = node.parent) {
        node.fileCount += 1
        widen(node, record)
      }
    },
    remove(record) {
      let node = nodeByPath.get(directoryOf(record.path))
      for (; node; node = node.parent) {
        node.fileCount -= 1
        if (node.fileCount === 0) close(node)
        else if (isExtreme(node, record)) node.isStale = true
      }
    },
    directoriesIn(directory) {
      const children = nodeByPath.get(directory)?.children ?? new Map<string, Node>()
      return new Map(children.entries().map(([name, node]) => [name, datesOf(node)]))
    },
  }
}

function widen(node: Node, { createdAt, changedAt }: AssetRecord) {
  node.createdAtMs = Math.min(node.createdAtMs, createdAt.getTime())
  node.changedAtMs = Math.max(node.changedAtMs, changedAt.getTime())
}

const isExtreme = (node: Node, { createdAt, changedAt }: AssetRecord) =>
  createdAt.getTime() <= node.createdAtMs || changedAt.getTime() >= node.changedAtMs

export const directoryOf = (path: string): string =>
  path.slice(0, Math.max(0, path.lastIndexOf('/')))

const lastSegmentOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
