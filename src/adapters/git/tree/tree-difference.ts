import { takeTurns } from '../../../lib/async/turns.ts'
import type { TreeDifference } from '../../../ports/content/content-store.ts'
import { attributesName } from '../lfs/attribute-lines.ts'
import { type DifferingEntry, Directory, type Entry } from './directory.ts'
import type { Place, SnapshotTree } from './snapshot-tree.ts'

/** The two trees that are compared; of what one has not, its side is `undefined`. */
interface Sides {
  readonly before: Side | undefined
  readonly after: Side | undefined
}

interface Side {
  readonly tree: SnapshotTree
  /** The directories that lead to what is compared, and that itself, the root first. */
  readonly directories: readonly Directory[]
}

/** Thousands of entries let requests be answered meanwhile. */
const entriesPerTurn = 2_000

/**
 * The files below a directory that are others in two trees. Directories with the same id are not gone
 * through, but where attributes above them differ: those may make something else of the same files.
 */
export async function treeDifference(
  before: SnapshotTree,
  after: SnapshotTree,
  directory: string,
): Promise<readonly TreeDifference[]> {
  const sides = { before: await sideOf(before, directory), after: await sideOf(after, directory) }
  const found: TreeDifference[] = []
  const turns = takeTurns(entriesPerTurn)

  async function compare(at: Sides, segments: readonly string[], isTurned: boolean): Promise<void> {
    const isOther = isTurned || attributesOf(at.before) !== attributesOf(at.after)
    for (const { name, ...pair } of isOther ? entriesOf(at) : differingEntries(at)) {
      await turns.after(1)
      await compareEntry(at, pair, { segments: [...segments, name], isTurned: isOther })
    }
  }

  async function compareEntry(
    at: Sides,
    pair: Pair,
    { segments, isTurned }: { readonly segments: readonly string[]; readonly isTurned: boolean },
  ): Promise<void> {
    const [former, newer] = await Promise.all([
      contentOf(at.before, pair.before, segments),
      contentOf(at.after, pair.after, segments),
    ])
    if (former !== newer)
      found.push({
        path: segments.join('/'),
        ...(former !== undefined && { before: former }),
        ...(newer !== undefined && { after: newer }),
      })
    const below = {
      before: await directoryBelow(at.before, pair.before),
      after: await directoryBelow(at.after, pair.after),
    }
    if (below.before !== undefined || below.after !== undefined)
      await compare(below, segments, isTurned)
  }

  const start = directory === '' ? [] : directory.split('/')
  const isTurned = leadingAttributes(sides.before) !== leadingAttributes(sides.after)
  await compare(sides, start, isTurned)
  return found
}

type Pair = Omit<DifferingEntry, 'name'>

const nothing = new Directory(Buffer.alloc(0))

function* differingEntries({ before, after }: Sides): Generator<DifferingEntry, void, undefined> {
  const former = before?.directories.at(-1) ?? nothing
  for (const entry of former.differing(after?.directories.at(-1) ?? nothing))
    if (entry.name !== attributesName) yield entry
}

/** Those that are the same in both, too. */
function entriesOf({ before, after }: Sides): Iterable<DifferingEntry> {
  const pairs = new Map<string, DifferingEntry>()
  for (const { name, ...entry } of before?.directories.at(-1)?.entries() ?? [])
    pairs.set(name, { name, before: entry, after: undefined })
  for (const { name, ...entry } of after?.directories.at(-1)?.entries() ?? [])
    pairs.set(name, { name, before: pairs.get(name)?.before, after: entry })
  pairs.delete(attributesName)
  return pairs.values()
}

async function sideOf(tree: SnapshotTree, directory: string): Promise<Side | undefined> {
  const directories = await tree.directoriesTo(directory)
  return directories && { tree, directories }
}

async function contentOf(
  side: Side | undefined,
  entry: Entry | undefined,
  segments: readonly string[],
): Promise<string | undefined> {
  if (side === undefined || entry?.kind !== 'file') return undefined
  const place: Place = { entry, directories: side.directories }
  return await side.tree.contentIdAt(place, segments)
}

async function directoryBelow(
  side: Side | undefined,
  entry: Entry | undefined,
): Promise<Side | undefined> {
  if (side === undefined || entry?.kind !== 'directory') return undefined
  const directory = await side.tree.load(entry.id)
  return { tree: side.tree, directories: [...side.directories, directory] }
}

const attributesOf = (side: Side | undefined): string | undefined =>
  side?.directories.at(-1)?.find(attributesName)?.id

const leadingAttributes = (side: Side | undefined): string | undefined =>
  side?.directories
    .slice(0, -1)
    .map((each) => each.find(attributesName)?.id ?? '')
    .join(' ')
