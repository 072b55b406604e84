import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { type Disk, type Node, rootNode } from './disk.ts'

/** A directory as a disk, and which node each path leads to. */
export interface ReadDisk extends Disk {
  readonly nodes: ReadonlyMap<string, Node>
}

/** Caches, and what SQLite makes anew from its log: that is written through memory, where no record sees it. */
export const isMadeAnew = (path: string): boolean => /^cache(?:\/|$)|-shm$/u.test(path)

export async function readDisk(root: string): Promise<ReadDisk> {
  const files = new Map<Node, Buffer>()
  const directories = new Map<Node, Map<string, Node>>([[rootNode, new Map()]])
  const nodes = new Map<string, Node>()
  const byInode = new Map<number, Node>()
  const visit = async (path: string, directory: Node): Promise<void> => {
    for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      if (isMadeAnew(below)) continue
      const { ino } = await stat(join(root, below))
      const node = byInode.get(ino) ?? byInode.size + 1
      byInode.set(ino, node)
      nodes.set(below, node)
      directories.get(directory)?.set(entry.name, node)
      if (entry.isDirectory()) {
        directories.set(node, new Map())
        await visit(below, node)
      } else files.set(node, await readFile(join(root, below)))
    }
  }
  await visit('', rootNode)
  return { files, directories, nodes }
}

/** Writes files, `undefined` for directories, below a directory that is not there. */
export async function layOut(
  root: string,
  files: ReadonlyMap<string, Buffer | undefined>,
): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const [path, bytes] of files)
    if (bytes === undefined) await mkdir(join(root, path), { mode: 0o700 })
    else await Bun.write(join(root, path), bytes, { mode: 0o600 })
}

/** Of all paths and bytes. */
export function digestOf(files: ReadonlyMap<string, Buffer | undefined>): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hasher.update(`${path}\0${bytes?.length}\0`).update(bytes ?? '')
  return hasher.digest('hex')
}
