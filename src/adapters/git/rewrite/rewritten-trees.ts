import { objectId } from '../objects/object-id.ts'
import type { ObjectReader } from '../objects/object-reader.ts'

/** Names below a directory, each the latin-1 text of its bytes: git promises no encoding. */
export interface PathNode {
  readonly children: Map<string, PathNode>
}

export const emptyNode = (): PathNode => ({ children: new Map() })

export function addPath(root: PathNode, path: Buffer): void {
  let node = root
  for (const name of path.toString('latin1').split('/')) {
    const child = node.children.get(name) ?? emptyNode()
    node.children.set(name, child)
    node = child
  }
}

interface Dependencies {
  readonly objects: Pick<ObjectReader, 'read'>
  readonly erasedIds: ReadonlySet<string>
  readonly markerId: string
  /** Told of each directory that is another. */
  readonly onTree: (id: string, body: Buffer) => void
}

const idBytes = 20

/** Directories with the marker in the place of what is erased, looked at along known paths alone. */
export class RewrittenTrees {
  readonly #needs: Dependencies
  readonly #newIdByPlace = new Map<PathNode, Map<string, string>>()

  constructor(needs: Dependencies) {
    this.#needs = needs
  }

  /** The directory's own id where nothing in it is erased. */
  async of(id: string, node: PathNode): Promise<string> {
    const known = this.#newIdByPlace.get(node)?.get(id)
    if (known !== undefined) return known
    const now = await this.#rewrite(id, node)
    const byId = this.#newIdByPlace.get(node) ?? new Map<string, string>()
    byId.set(id, now)
    this.#newIdByPlace.set(node, byId)
    return now
  }

  async #rewrite(id: string, node: PathNode): Promise<string> {
    const object = await this.#needs.objects.read(id)
    if (object?.kind !== 'tree') return id
    const body = Buffer.from(object.body)
    let isOther = false
    for (const { name, isDirectory, idStart } of entriesOf(body)) {
      const child = node.children.get(name)
      if (child === undefined) continue
      const before = body.toString('hex', idStart, idStart + idBytes)
      const after = isDirectory ? await this.of(before, child) : this.#contentId(before)
      if (after === before) continue
      body.write(after, idStart, 'hex')
      isOther = true
    }
    if (!isOther) return id
    const now = objectId('tree', body)
    this.#needs.onTree(now, body)
    return now
  }

  #contentId(id: string): string {
    const { erasedIds, markerId } = this.#needs
    return erasedIds.has(id) ? markerId : id
  }
}

/** Entries of a tree object: mode, space, name, NUL, and twenty bytes of an id. */
function* entriesOf(body: Buffer) {
  for (let start = 0; start < body.length;) {
    const space = body.indexOf(0x20, start)
    const end = body.indexOf(0, space)
    if (space < 0 || end < 0) return
    const isDirectory = body.toString('latin1', start, space) === '40000'
    yield { name: body.toString('latin1', space + 1, end), isDirectory, idStart: end + 1 }
    start = end + 1 + idBytes
  }
}
