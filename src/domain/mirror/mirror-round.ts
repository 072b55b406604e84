import type { ContentStore } from '../../ports/content/content-store.ts'
import type { RemoteRepository, RemoteStanding } from '../../ports/content/remote-repository.ts'
import type { FileMerger } from './merge-files.ts'
import {
  importForeign,
  type ReturnedBytes,
  type SharedHistory,
  type TakenUpCommit,
} from './import-foreign.ts'

/** Somebody has to decide; until then nothing is pushed. The message says what there is to do. */
export class MirrorRefusal extends Error {
  override readonly name = 'MirrorRefusal'
}

export interface RoundDependencies {
  readonly content: Pick<ContentStore, 'commit'>
  readonly history: SharedHistory
  readonly returned: ReturnedBytes
  /** For files of whose changes both can stay. */
  readonly merger?: FileMerger | undefined
  /** The newest commit that is published: one that is not may yet come to nothing. */
  readonly newest: () => Promise<string | undefined>
  readonly remote: RemoteRepository
  /** No larger file of theirs is taken up whose bytes their commits only name. */
  readonly maxOutsideBytes: number
  /** Whether commits that others make at the remote are taken up. */
  readonly takesUp: boolean
  readonly onTakenUp: (taken: TakenUpCommit) => void
  /** Aborted where the service ends. */
  readonly signal: AbortSignal
}

export interface Round {
  /** The commit the remote is known to be at; `undefined` where it has to be looked at first. */
  readonly standsAt: string | undefined
}

/** Others may be quicker every time; then the next round tries again. */
const maxTries = 3

/**
 * Brings the remote to our newest commit, and theirs into ours before. Answers the commit that the
 * remote is at then; `undefined` where there is nothing to mirror yet.
 */
export async function mirrorRound(
  dependencies: RoundDependencies,
  { standsAt }: Round,
): Promise<string | undefined> {
  const { newest, remote } = dependencies
  let known = standsAt
  for (let tries = 0; tries < maxTries; tries += 1) {
    const head = await newest()
    if (head === undefined) return undefined
    known ??= await agree(dependencies, head)
    // What was taken up has come on top.
    const wanted = (await newest()) ?? head
    if (known === wanted || (await remote.push(wanted)) === 'pushed') return wanted
    known = undefined
  }
  throw new Error('The remote moved each time before the push to it was through')
}

/** No commit: whatever there is, ours leads on from it. */
const nothingYet = ''

async function agree(dependencies: RoundDependencies, head: string): Promise<string> {
  const { epoch } = dependencies.history
  const standing = await dependencies.remote.look(head)
  if (standing.kind === 'behind') return standing.id ?? nothingYet
  if (standing.kind === 'former' && (await dependencies.remote.replaceFormer(head))) return head
  if (standing.kind !== 'ahead' || !dependencies.takesUp) throw refusalOf(standing)
  await importForeign(dependencies, { ...standing, epoch })
  return standing.id
}

type Refused = Exclude<RemoteStanding, { readonly kind: 'behind' }>

const refusalOf = (standing: Refused): MirrorRefusal => new MirrorRefusal(reasonOf(standing))

function reasonOf(standing: Refused): string {
  const { kind, id } = standing
  if (kind === 'ahead')
    return `The remote has ${standing.commitCount} commits that are not here, up to ${id}: set GIT_REMOTE_IMPORT=true, or take them away there`
  if (kind === 'former')
    return `The remote has, at ${id}, the history from before something was erased, and commits of others on it: replace its branch main by hand`
  if (kind === 'rewritten')
    return `The history of the remote was rewritten: what was pushed does not lead to ${id}. Put its branch main back`
  return `The remote has another repository, at ${id}: GIT_REMOTE must name an empty one, or a mirror of this one`
}
