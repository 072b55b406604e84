import { takeTurns } from '../../../../lib/async/turns.ts'
import type { Put, Tree } from '../../../../ports/content/content-store.ts'
import type { Manifest } from '../../../../ports/records/manifest.ts'
import type { Actor } from '../../../access/actor.ts'
import type { ChangeRequest, Committer } from '../../committer.ts'
import { zoneOf } from '../../asset-path.ts'
import { createMutualGuard, createZoneGuard, refuseConflicts } from '../../write-guards.ts'
import {
  type ArrivedGroup,
  type ArrivingFile,
  arrivingGroups,
  isRefusal,
  type KeptFile,
  type Receiving,
  type RefusedFile,
} from './arriving-groups.ts'
import { currentBlob, outcomeOf, putOf, type WrittenFile } from './file-put.ts'

export type StoredOrRefused = WrittenFile | RefusedFile

interface Dependencies extends Receiving {
  readonly published: Pick<Manifest, 'asset'>
  readonly publisher: Committer
}

/**
 * Stores files as they come, in commits of at most 5,000 files and about 16 MiB, and answers what became of those of
 * each commit once it is durable and published. A file that is refused keeps no other from being stored. While one
 * commit is written the files of the next come in, and no more. Where `files` fails, so does this, after it has
 * answered what was committed: the files that had come since are in no commit.
 */
export async function* putEach(
  dependencies: Dependencies,
  files: AsyncIterable<ArrivingFile | RefusedFile>,
  actor: Actor,
): AsyncGenerator<readonly StoredOrRefused[], void, undefined> {
  const groups = arrivingGroups(files, dependencies)
  let committing: Promise<readonly StoredOrRefused[]> | undefined
  try {
    for await (const group of groups) {
      if (committing !== undefined) yield await committing
      committing = commitGroup(dependencies, group, actor)
      // Heard of when it is awaited.
      committing.catch(() => {})
    }
  } catch (error) {
    if (committing !== undefined) yield await committing
    throw error
  }
  if (committing !== undefined) yield await committing
}

async function commitGroup(
  { publisher, published }: Dependencies,
  group: ArrivedGroup,
  actor: Actor,
): Promise<readonly StoredOrRefused[]> {
  const kept = group.filter((file) => 'blob' in file)
  if (kept.length === 0) return group.filter((file) => 'refusal' in file)
  let plan: GroupPlan = new Map()
  try {
    const commit = await publisher.commit(changeOf(kept, actor), async (tree) => {
      plan = await planGroup(tree, kept, published)
      return [...plan.values()].flatMap((file) =>
        'put' in file && file.outcome !== 'unchanged' ? [file.put] : [],
      )
    })
    return group.map((file) => {
      const planned = plan.get(file.path)
      if ('refusal' in file || planned === undefined) return file as RefusedFile
      if ('refusal' in planned) return planned
      const { outcome } = planned
      const commitId = outcome === 'unchanged' ? published.asset(file.path)?.commitId : commit?.id
      return { path: file.path, ...file.blob, outcome, commitId }
    })
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    return group.map((file) => ('refusal' in file ? file : { path: file.path, refusal: thrown }))
  }
}

function changeOf(kept: readonly KeptFile[], actor: Actor): ChangeRequest {
  const zones = [...new Set(kept.map(({ path }) => zoneOf(path)))]
  const target = zones.length > maxNamedZones ? `${zones.length} zones` : zones.join(',')
  return {
    action: 'storage.archive',
    target,
    subject: `Put ${kept.length} files into ${target.replaceAll(',', ', ')}`,
    actor,
    meta: { files: kept.length },
  }
}

const maxNamedZones = 20

interface PlannedFile {
  readonly put: Put
  readonly outcome: WrittenFile['outcome']
}

/** What a commit does with each file, by its path. */
type GroupPlan = ReadonlyMap<string, PlannedFile | RefusedFile>

/** Of files that could not stand beside each other the first stays, or the one that is no directory. */
async function planGroup(
  tree: Tree,
  kept: readonly KeptFile[],
  published: Pick<Manifest, 'asset'>,
): Promise<GroupPlan> {
  const plan = new Map<string, PlannedFile | RefusedFile>()
  const requireWritable = createZoneGuard(tree)
  const refuseBeside = createMutualGuard(kept.map(({ path }) => path))
  const turns = takeTurns(plannedPerTurn)
  for (const { path, blob } of kept) {
    try {
      await requireWritable(zoneOf(path))
      refuseBeside(path)
      await refuseConflicts(tree, path)
      const put = putOf(path, blob, undefined)
      const outcome = outcomeOf(put, await currentBlob(tree, path), published.asset(path))
      plan.set(path, { put, outcome })
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown
      plan.set(path, { path, refusal: thrown })
    }
    await turns.after(1)
  }
  return plan
}

const plannedPerTurn = 200
