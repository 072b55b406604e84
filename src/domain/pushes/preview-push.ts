import type { Change, Commit, Plan, Put, Tree } from '../../ports/content/content-store.ts'
import type { ReceivedPush } from '../../ports/pushes/push-receiver.ts'
import type { PreviewKey } from '../../ports/records/preview.ts'
import type { Committer } from '../content/committer.ts'
import { type KeptChange, takeUp } from '../mirror/take-up.ts'
import { isAttributes } from './attribute-lines.ts'
import { keptChanges, PushConflict } from './merge-push.ts'
import { type Pusher, zoneAt } from './pusher.ts'

/** A preview as it is pushed to: without a zone, that of the paths that change. */
export interface WantedPreview {
  readonly zone: string | undefined
  readonly name: string
}

/** Finds how a preview is written to; refuses one that is not there, or that they do not reach. */
export type PreviewCommitterOf = (key: PreviewKey, pusher: Pusher) => Promise<Committer>

/** Which preview is meant; `undefined` where the paths of the push are of several zones, or of none. */
export function previewMeant(
  { commits }: Pick<ReceivedPush, 'commits'>,
  { zone, name }: WantedPreview,
): PreviewKey | undefined {
  if (zone !== undefined) return { zone, name }
  const zones = new Set(
    commits.flatMap(({ differences }) => differences.map(({ path }) => zoneAt(path))),
  )
  const [only] = zones
  return zones.size === 1 && only !== undefined ? { zone: only, name } : undefined
}

interface PreviewLanding {
  readonly preview: PreviewKey
  readonly pusher: Pusher
  readonly committer: Committer
}

/**
 * Brings what a push changes of main into a preview, as one commit of it. What was pushed there before from the
 * same history is gone on from; what somebody else has changed there refuses the push.
 */
export async function landInPreview(
  received: ReceivedPush,
  { preview, pusher, committer }: PreviewLanding,
): Promise<Commit | undefined> {
  const whole = await received.whole()
  const all = await received.keep(whole)
  const changes = keptChanges(whole, all).filter(({ path }) => !isAttributes(path))
  const seen = seenContents(received)
  const request = {
    action: 'repository.push',
    target: preview.zone,
    subject: whole.subject,
    actor: pusher,
    meta: { commit: whole.id, author: whole.author },
  }
  let conflict: PushConflict | undefined
  const plan: Plan = async (tree) => {
    const known: KeptChange[] = []
    for (const change of changes) known.push(await asSeen(change, { tree, seen }))
    const { changes: taken, leftOut } = await takeUp(tree, known)
    conflict = leftOut.length === 0 ? undefined : new PushConflict(leftOut)
    if (conflict !== undefined) throw conflict
    return taken.map(withoutContent)
  }
  try {
    return await committer.commit(request, plan)
  } catch (error) {
    throw conflict ?? error
  }
}

type SeenContents = ReadonlyMap<string, ReadonlySet<string | undefined>>

/** What each path had in the commits of the push: whoever made the last one knows of all of them. */
function seenContents({ commits }: ReceivedPush): SeenContents {
  const seen = new Map<string, Set<string | undefined>>()
  for (const { differences } of commits)
    for (const { path, after } of differences) {
      const ids = seen.get(path) ?? new Set()
      seen.set(path, ids.add(after?.contentId))
    }
  return seen
}

async function asSeen(
  change: KeptChange,
  { tree, seen }: { readonly tree: Tree; readonly seen: SeenContents },
): Promise<KeptChange> {
  const found = await tree.find(change.path)
  const current = found?.kind === 'file' ? found.contentId : undefined
  const isSeen = seen.get(change.path)?.has(current) === true
  return isSeen ? { ...change, before: current, common: current } : change
}

/** The objects of the push do not become part of the repository: a preview has commits of its own. */
const withoutContent = (change: Change): Change => {
  if (change.kind === 'delete') return change
  const { content: _fetched, ...put }: Put = change
  return put
}
