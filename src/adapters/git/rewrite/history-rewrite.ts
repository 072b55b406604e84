import { linesOf } from '../lfs/pointers-in.ts'
import { streamGit } from '../objects/git-command.ts'
import { objectId, type ObjectKind } from '../objects/object-id.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import { packObject, type PackedObject } from '../objects/pack-format.ts'
import { logFormat, LogParser } from '../read/log-parser.ts'
import type { PackStore } from '../write/pack-store.ts'
import { readCommitHead, rewrittenCommit } from './commit-body.ts'
import { addPath, emptyNode, RewrittenTrees } from './rewritten-trees.ts'

interface Dependencies {
  readonly repository: string
  readonly objects: Pick<ObjectReader, 'read'>
  readonly packs: Pick<PackStore, 'write' | 'install'>
  readonly erasedIds: ReadonlySet<string>
  readonly marker: Buffer
  /** Commits of this moment and after it have to keep what they have. */
  readonly unchangedSince?: Date | undefined
}

/** Something that was to leave the history has been put there again. */
export class UsedAgainError extends Error {
  override readonly name = 'UsedAgainError'
  override readonly message = 'What was to be let go is used again'
}

const objectsPerPack = 2_000
const packLevel = 1
const maxNamedObjects = 1_000

/**
 * Writes every commit that had what is erased anew, with the marker instead, and all that build on them. Nothing of
 * the repository points to what it writes: that is for whoever moves its refs.
 */
export class HistoryRewrite {
  readonly #needs: Dependencies
  readonly #newByFormer = new Map<string, string>()
  readonly #waiting = new Map<string, PackedObject>()
  readonly #paths = emptyNode()
  readonly #trees: RewrittenTrees
  /** Commits that may have it where those before them have not, or the reverse. */
  readonly #turning = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #markerId: string
  #affected = 0

  constructor(needs: Dependencies) {
    this.#needs = needs
    const { objects, erasedIds, marker } = needs
    this.#markerId = this.#add('blob', marker)
    const onTree = (_: string, body: Buffer) => void this.#add('tree', body)
    this.#trees = new RewrittenTrees({ objects, erasedIds, markerId: this.#markerId, onTree })
  }

  /** What commits are called now that had other ids. */
  get newByFormer(): ReadonlyMap<string, string> {
    return this.#newByFormer
  }

  /** How many commits had what is erased. */
  get affected(): number {
    return this.#affected
  }

  /**
   * Goes through all commits that refs lead to and that it has not gone through; what it writes is durable when
   * it answers.
   */
  async run(): Promise<void> {
    if (this.#seen.size === 0) await this.#findTurning()
    const listing = ['rev-list', '--all', '--topo-order', '--reverse', '--parents']
    for await (const line of linesOf(streamGit(this.#needs.repository, listing))) {
      const [id = '', ...parentIds] = line.split(' ')
      if (this.#seen.has(id)) continue
      this.#seen.add(id)
      const isOther = this.#turning.has(id) || parentIds.some((each) => this.#newByFormer.has(each))
      if (isOther) await this.#rewrite(id)
    }
    await this.#flush()
  }

  async #findTurning(): Promise<void> {
    const { erasedIds } = this.#needs
    // Of more than these, all is read: a command line takes only so much.
    const named = erasedIds.size > maxNamedObjects ? [] : [...erasedIds]
    const finding = named.map((id) => `--find-object=${id}`)
    const options = ['--all', '--full-history', '-m', '--root', '-r', '--raw', '-z']
    const format = ['--no-renames', '--no-abbrev', logFormat]
    const parser = new LogParser()
    const args = ['log', ...options, ...format, ...finding, '--']
    const note = (commits: ReturnType<LogParser['push']>) => {
      for (const { id, differences } of commits)
        for (const { path, oldId = '', newId = '' } of differences) {
          if (!erasedIds.has(oldId) && !erasedIds.has(newId)) continue
          this.#turning.add(id)
          addPath(this.#paths, path)
        }
    }
    for await (const chunk of streamGit(this.#needs.repository, args)) note(parser.push(chunk))
    note(parser.end())
  }

  async #rewrite(id: string): Promise<void> {
    const commit = await this.#needs.objects.read(id)
    if (commit?.kind !== 'commit') throw new Error(`The repository has no commit ${id}`)
    const { treeId: formerTreeId, parentIds, seconds } = readCommitHead(commit.body)
    const treeId = await this.#trees.of(formerTreeId, this.#paths)
    if (treeId !== formerTreeId) {
      this.#affected += 1
      const { unchangedSince } = this.#needs
      if (unchangedSince !== undefined && seconds >= Math.floor(unchangedSince.getTime() / 1000))
        throw new UsedAgainError()
    }
    // It took the bytes away, of a parent that has another id, or is at the end of another line.
    if (treeId === formerTreeId && !parentIds.some((each) => this.#newByFormer.has(each))) return
    const newIdOf = (parentId: string) => this.#newByFormer.get(parentId) ?? parentId
    const body = rewrittenCommit(commit.body, { formerId: id, treeId, newIdOf })
    this.#newByFormer.set(id, this.#add('commit', body))
    if (this.#waiting.size >= objectsPerPack) await this.#flush()
  }

  #add(kind: ObjectKind, body: Buffer): string {
    const id = objectId(kind, body)
    this.#waiting.set(id, packObject({ id, kind, body }, packLevel))
    return id
  }

  async #flush(): Promise<void> {
    const objects = [...this.#waiting.values()]
    this.#waiting.clear()
    if (objects.length === 0) return
    const { packs } = this.#needs
    await packs.install(await packs.write(objects))
  }
}
