import { takeTurns } from '../../lib/async/turns.ts'
import type { Commit, ContentStore } from '../../ports/content/content-store.ts'
import {
  type IncomingPack,
  PackTooLargeError,
  type PushedCommit,
  type PushedUpdate,
  type PushReceiver,
  type ReceivedPush,
  UnfitPackError,
  UnfitPushError,
} from '../../ports/pushes/push-receiver.ts'
import type { PreviewKey } from '../../ports/records/preview.ts'
import { auditRecordOf } from '../access/actor.ts'
import { isAssetPath, clientsDirectory } from '../content/asset-path.ts'
import { type ErrorCode, invalid, ServiceError } from '../errors.ts'
import type { Publisher } from '../publishing/publisher.ts'
import { withRoom, withRoomFor } from '../publishing/room/held-room.ts'
import type { ZoneRoom } from '../publishing/room/zone-room.ts'
import { type CommitRuleSettings, refusalsOf, turnedPaths, unpackedBytes } from './commit-rules.ts'
import { planOfPush, PushConflict } from './merge-push.ts'
import {
  landInPreview,
  type PreviewCommitterOf,
  previewMeant,
  type WantedPreview,
} from './preview-push.ts'
import { type Pusher, type Refusal, zoneAt } from './pusher.ts'

/** What came of a push. Nothing of it stays where it is not published. */
export type PushOutcome =
  | {
      readonly kind: 'published'
      /** The newest commit; of ours where the push was merged. */
      readonly commitId: string
      readonly isMerged: boolean
      readonly fileCount: number
      readonly zones: readonly string[]
      /** Where it is to be seen, if not live. */
      readonly preview?: PreviewKey
    }
  /** The pack is none. */
  | { readonly kind: 'unfit'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly refusals: readonly Refusal[] }

export interface Push {
  readonly update: PushedUpdate
  /** What it goes to in the place of what is live. */
  readonly preview?: WantedPreview | undefined
  readonly pack: IncomingPack
  readonly pusher: Pusher
  readonly signal: AbortSignal
  /** Told of how far it is, for people. */
  readonly onProgress: (line: string) => void
}

/** Takes up what is pushed: wholly, published, or not at all. */
export interface Pushes {
  head(): Promise<string | undefined>
  store(pack: AsyncIterable<Uint8Array>): Promise<IncomingPack>
  take(push: Push): Promise<PushOutcome>
}

interface Dependencies {
  readonly receiver: PushReceiver
  readonly content: Pick<ContentStore, 'buildsOn'>
  readonly publisher: Pick<Publisher, 'commitId'>
  /** Each is some git processes. `undefined` where there was no room in time. */
  readonly enter: (pusher: Pusher, signal: AbortSignal) => Promise<Disposable | undefined>
  readonly rules: CommitRuleSettings
  readonly committerOf: PreviewCommitterOf
}

/** A push of thousands lets requests be answered meanwhile. */
const pathsPerTurn = 500

export function createPushes(dependencies: Dependencies): Pushes {
  const { receiver, content, publisher, enter, rules } = dependencies

  async function take(push: Push): Promise<PushOutcome> {
    const { update, pack, signal, onProgress } = push
    if (push.preview === undefined && (await isThere(update, { publisher, content })))
      return await published(update.newId, [], false)
    const behind = await reasonBehind(update, { receiver, content })
    if (behind !== undefined) return refused(behind)
    using room = await enter(push.pusher, signal)
    if (room === undefined) return refused('too many push at the moment; try again in a minute')
    onProgress('checking the objects')
    await using received = await receiver.examine({ update, pack, signal })
    const unfit = await unfitness(received, push, rules)
    if (unfit !== undefined) return unfit
    const kept: Commit[] = []
    for (const commit of received.commits) {
      signal.throwIfAborted()
      kept.push(await received.keep(commit))
      onProgress(`storing the files of ${kept.length} of ${received.commits.length} commits`)
    }
    const turned = push.pusher.zones === undefined ? [] : turnedOf(received, kept)
    if (turned.length > 0) return { ...refused('paths that cannot be taken'), refusals: turned }
    onProgress('publishing')
    if (push.preview !== undefined)
      return await inPreview(received, kept, { ...dependencies, push, preview: push.preview })
    const { newId } = update
    return await land(received, kept, { pusher: push.pusher, newId, receiver, rules })
  }

  return {
    head: () => receiver.head(),
    async store(pack) {
      try {
        return await receiver.store(pack)
      } catch (error) {
        throw refusalOfPack(error)
      }
    },
    async take(push) {
      try {
        return await take(push)
      } catch (error) {
        return outcomeOf(error)
      }
    },
  }
}

/** Why the push cannot be taken, as far as that is for its own files to say. */
async function unfitness(
  received: ReceivedPush,
  { pusher, signal }: Push,
  rules: CommitRuleSettings,
): Promise<PushOutcome | undefined> {
  if (unpackedBytes(received.commits) > rules.maxBytes)
    return refused(`its files have over ${rules.maxBytes} bytes together; push some first`)
  const refusals: Refusal[] = []
  for (const commit of received.commits) {
    signal.throwIfAborted()
    const settings = { settings: rules, push: received }
    refusals.push(...(await refusalsOf(commit, pusher, settings)))
  }
  if (refusals.length > 0) return { ...refused('paths that cannot be taken'), refusals }
  const { namesFault } = received
  return namesFault === undefined ? undefined : { kind: 'unfit', reason: namesFault }
}

function refusalOfPack(error: unknown): unknown {
  if (error instanceof PackTooLargeError)
    return new ServiceError('PayloadTooLarge', `the push is too large: ${error.message}`)
  const isUnfit = error instanceof UnfitPackError
  return isUnfit ? invalid('body', `cannot be taken: ${error.message}`, error) : error
}

/** Whoever did not get the answer to a push sends it again. */
async function isThere(
  { formerId, newId }: PushedUpdate,
  { publisher, content }: Pick<Dependencies, 'publisher' | 'content'>,
): Promise<boolean> {
  const publishedId = publisher.commitId
  if (publishedId === undefined || !(await content.buildsOn(publishedId, newId))) return false
  return formerId === undefined || (await content.buildsOn(newId, formerId))
}

/** Why the branch cannot go to the pushed commit, as far as that can be told without its objects. */
async function reasonBehind(
  { formerId }: PushedUpdate,
  { receiver, content }: Pick<Dependencies, 'receiver' | 'content'>,
): Promise<string | undefined> {
  const head = await receiver.head()
  if (head === formerId) return undefined
  const isKnown = head !== undefined && formerId !== undefined
  if (isKnown && (await content.buildsOn(head, formerId))) return undefined
  return 'the branch has moved on: fetch first (git pull), then push again'
}

interface Landing {
  readonly receiver: Pick<PushReceiver, 'head'>
  readonly pusher: Pusher
  readonly newId: string
  readonly rules: Pick<CommitRuleSettings, 'now' | 'requireFit' | 'room'>
}

interface PreviewPush extends Pick<Dependencies, 'committerOf'> {
  readonly push: Push
  readonly preview: WantedPreview
}

async function inPreview(
  received: ReceivedPush,
  kept: readonly Commit[],
  { push: { pusher, update }, preview: wanted, committerOf }: PreviewPush,
): Promise<PushOutcome> {
  const preview = previewMeant(received, wanted)
  if (preview === undefined)
    return refused('its paths are of several zones: name one by -o preview=<zone>/<name>')
  const committer = await committerOf(preview, pusher)
  const commit = await landInPreview(received, { preview, pusher, committer })
  const outcome = await published(commit?.id ?? update.newId, kept, false)
  return { ...outcome, preview }
}

/** As the commits are where nothing came between, else as one that merges them. */
async function land(
  received: ReceivedPush,
  kept: readonly Commit[],
  { receiver, pusher, newId, rules }: Landing,
): Promise<PushOutcome> {
  await rules.requireFit?.(kept.flatMap(({ changes }) => changes))
  const at = rules.now()
  const named = kept.map((commit) => withAudit(commit, pusher, at))
  const isOnward = received.isLine && (await advance(received, named, rules.room))
  if (isOnward) return await published(newId, kept, false)
  const whole = await received.whole()
  const all = await received.keep(whole)
  const { request } = withAudit(all, pusher, at)
  const plan = await planOfPush(whole, all)
  const commit = await withRoom(rules.room, request, (held) => received.merge(request, held(plan)))
  // The repository of a zone goes on to what was pushed to it, where nothing came between.
  const isMerged = (await receiver.head()) !== newId
  return await published(isMerged ? (commit?.id ?? newId) : newId, [all], isMerged)
}

/** Each of the commits makes its zones more by its own. */
const advance = async (
  received: ReceivedPush,
  commits: readonly Commit[],
  room: ZoneRoom | undefined,
): Promise<boolean> => {
  const changes = commits.flatMap((commit) => commit.changes)
  return await withRoomFor(room, { changes }, () => received.advance(commits))
}

function outcomeOf(error: unknown): PushOutcome {
  if (error instanceof UnfitPackError) return { kind: 'unfit', reason: error.message }
  if (error instanceof UnfitPushError) return refused(error.message)
  if (error instanceof ServiceError && error.code === 'ModerationHeld')
    return { ...refused(error.message), refusals: refusalsIn(error) }
  if (error instanceof ServiceError && ofPushers.has(error.code)) return refused(error.message)
  if (!(error instanceof PushConflict)) throw error
  const reason = 'it was changed here as well: git pull first, then push again'
  return { ...refused(reason), refusals: error.refusals }
}

const refusalsIn = ({ details }: ServiceError): readonly Refusal[] =>
  details.map(({ target, message }) => ({
    path: `${clientsDirectory}/${String(target)}`,
    why: String(message),
  }))

/** Why a preview cannot be written to, or bytes are nobody's to bring. */
const ofPushers: ReadonlySet<ErrorCode> = new Set([
  'Erased',
  'InvalidParameter',
  'PathConflict',
  'PreviewNotFound',
  'QuotaExceeded',
  'ZoneNotFound',
  'ZoneSuspended',
  'limit_reached',
])

const refused = (reason: string) => ({ kind: 'refused', reason, refusals: [] }) as const

const turnedOf = ({ commits }: ReceivedPush, kept: readonly Commit[]): readonly Refusal[] =>
  commits.flatMap((commit: PushedCommit, index) => turnedPaths(commit, kept[index] ?? noChanges))

const noChanges: Pick<Commit, 'changes'> = { changes: [] }

/** Its author is whoever made the commit; the log has who pushed it. */
function withAudit(commit: Commit, pusher: Pusher, at: Date): Commit {
  const { request, id } = commit
  const { subject: target, author } = request
  const deed = { action: 'repository.push', target, meta: { commit: id, author } }
  return { ...commit, request: { ...request, audit: auditRecordOf(deed, pusher, at) } }
}

async function published(
  commitId: string,
  kept: readonly Commit[],
  isMerged: boolean,
): Promise<Extract<PushOutcome, { kind: 'published' }>> {
  const files = new Set<string>()
  const zones = new Set<string>()
  const turns = takeTurns(pathsPerTurn)
  for (const { changes } of kept)
    for (const { path } of changes) {
      if (isAssetPath(path.slice(clientsDirectory.length + 1))) files.add(path)
      zones.add(zoneAt(path) ?? '')
      await turns.after(1)
    }
  zones.delete('')
  return { kind: 'published', commitId, isMerged, fileCount: files.size, zones: [...zones] }
}
