import { takeTurns } from '../../lib/async/turns.ts'
import { foldName } from '../../lib/text/fold-name.ts'
import type { BlobRef } from '../../ports/content/blob-store.ts'
import type { Change, Tree } from '../../ports/content/content-store.ts'
import type { ForeignChange, ForeignContent } from '../../ports/content/remote-repository.ts'
import { createTreeView, joined, split, type TreeView } from './tree-view.ts'

/** A path of a foreign commit that did not come into ours. It stays in the history of the remote. */
export interface LeftOut {
  readonly path: string
  readonly why: string
}

export interface TakenUp {
  readonly changes: readonly Change[]
  readonly leftOut: readonly LeftOut[]
}

/** A foreign change with its bytes kept. */
export interface KeptChange extends ForeignChange {
  readonly blob: BlobRef | undefined
}

/** How files that both changed come together, where they can. */
export interface Merging {
  /** `undefined` where what is there does not merge: then ours stays. */
  merge(
    change: KeptChange & { readonly blob: BlobRef },
    ours: Uint8Array,
  ): Promise<BlobRef | undefined>
}

/** A commit of thousands lets requests be answered meanwhile. */
const changesPerTurn = 500

const noMerging: Merging = { merge: async () => undefined }

/** The tree, and what of it the changes so far take away. */
interface Ground {
  readonly tree: Tree
  readonly view: TreeView
  readonly gone: ReadonlySet<string>
}

type Outcome = 'take' | 'same' | 'ours'

/**
 * What of a foreign commit can come into the newest tree. Each path is merged by itself: what only they
 * changed is theirs, and what both changed is merged where that can be, or stays as ours, which has been
 * answered and published. What a
 * clone on some system could not hold beside the rest is left out.
 */
export async function takeUp(
  tree: Tree,
  kept: readonly KeptChange[],
  merging: Merging = noMerging,
): Promise<TakenUp> {
  const changes: Change[] = []
  const leftOut: LeftOut[] = []
  const gone = new Set<string>()
  const ground = { tree, view: createTreeView(tree), gone }
  const spellings = new Map<string, string>()
  const turns = takeTurns(changesPerTurn)
  for (const change of kept) {
    await turns.after(1)
    const { path, after, blob } = change
    const outcome = outcomeOf(change, await contentIdAt(ground, path))
    if (outcome === 'ours') await mergeInto({ changes, leftOut }, change, { tree, merging })
    if (outcome !== 'take') continue
    if (after === undefined || blob === undefined) {
      gone.add(path)
      changes.push({ kind: 'delete', path })
      continue
    }
    const why = (await collision(ground, path)) ?? mutualCollision(path, spellings)
    if (why === undefined) changes.push(putOf(path, after, blob))
    else leftOut.push({ path, why })
  }
  return { changes, leftOut }
}

/** The paths that cannot stand beside each other, or beside what the tree has once others are gone. */
export async function collisions(
  tree: Tree,
  changes: readonly { readonly path: string; readonly isGone: boolean }[],
): Promise<readonly LeftOut[]> {
  const gone = new Set(changes.flatMap(({ path, isGone: isOne }) => (isOne ? [path] : [])))
  const ground = { tree, view: createTreeView(tree), gone }
  const spellings = new Map<string, string>()
  const found: LeftOut[] = []
  const turns = takeTurns(changesPerTurn)
  for (const { path, isGone: isOne } of changes) {
    await turns.after(1)
    if (isOne) continue
    const why = (await collision(ground, path)) ?? mutualCollision(path, spellings)
    if (why !== undefined) found.push({ path, why })
  }
  return found
}

async function mergeInto(
  { changes, leftOut }: { readonly changes: Change[]; readonly leftOut: LeftOut[] },
  change: KeptChange,
  { tree, merging }: { readonly tree: Tree; readonly merging: Merging },
): Promise<void> {
  const merged = await mergedPut(tree, change, merging)
  if (merged !== undefined) changes.push(merged)
  else leftOut.push({ path: change.path, why: 'it was changed here as well' })
}

async function mergedPut(
  tree: Tree,
  change: KeptChange,
  merging: Merging,
): Promise<Change | undefined> {
  const { path, blob } = change
  const ours = blob && (await tree.read(path))
  const merged = blob && ours && (await merging.merge({ ...change, blob }, ours))
  return merged && { kind: 'put', path, blob: merged }
}

function outcomeOf({ before, common, after }: ForeignChange, current: string | undefined): Outcome {
  const theirs = after?.contentId
  if (current === before) return 'take'
  if (current === theirs) return 'same'
  // They did not touch it since we last agreed: what they have is an older state of ours.
  if (theirs === common) return 'same'
  return current === common ? 'take' : 'ours'
}

const putOf = (
  path: string,
  { contentId, contentType }: ForeignContent,
  blob: BlobRef,
): Change => ({
  kind: 'put',
  path,
  blob,
  content: { id: contentId, from: 'fetched' },
  ...(contentType !== undefined && { contentType }),
})

async function contentIdAt({ tree, view }: Ground, path: string): Promise<string | undefined> {
  const { directory, name } = split(path)
  if ((await view.directory(directory)).kindByName.get(name) !== 'file') return undefined
  const found = await tree.find(path)
  return found?.kind === 'file' ? found.contentId : undefined
}

/** Why the path cannot stand beside what the tree has once `gone` is taken away. */
async function collision({ tree, view, gone }: Ground, path: string): Promise<string | undefined> {
  const { directory, name } = split(path)
  const { kindByName, nameByFolded, obstacle } = await view.directory(directory)
  if (obstacle !== undefined) {
    if (await isGone(tree, obstacle.path, gone)) return undefined
    return obstacle.isFile ? `"${obstacle.path}" is a file here` : differsFrom(obstacle.path)
  }
  const own = kindByName.has(name) ? name : nameByFolded.get(foldName(name))
  const isFree = own === undefined || (own === name && kindByName.get(name) === 'file')
  if (isFree || (await isGone(tree, joined(directory, own), gone))) return undefined
  return own === name ? 'it is a directory here' : differsFrom(joined(directory, own))
}

async function isGone(tree: Tree, path: string, gone: ReadonlySet<string>): Promise<boolean> {
  const found = await tree.find(path)
  if (found === undefined || gone.has(path)) return true
  if (found.kind === 'file') return false
  for (const { name } of await tree.children(path))
    if (!(await isGone(tree, `${path}/${name}`, gone))) return false
  return true
}

/** Why the path cannot stand beside what came before it in the same commit. */
function mutualCollision(path: string, spellings: Map<string, string>): string | undefined {
  const parts = [...parentsOf(path), path]
  const other = parts
    .map((part) => ({ part, known: spellings.get(foldName(part)) }))
    .find(({ part, known }) => known !== undefined && known !== part)
  if (other?.known !== undefined) return differsFrom(other.known)
  for (const part of parts) spellings.set(foldName(part), part)
  return undefined
}

const differsFrom = (other: string): string =>
  `it differs from "${other}" by letter case or Unicode form alone`

/** The directories above, from the root downwards. */
function parentsOf(path: string): readonly string[] {
  const segments = path.split('/')
  return segments.slice(0, -1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
