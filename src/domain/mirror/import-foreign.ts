import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import {
  type CommitRequest,
  type ContentStore,
  type Plan,
  UnfittingChangeError,
} from '../../ports/content/content-store.ts'
import type {
  ForeignChange,
  ForeignCommit,
  ForeignContent,
  RemoteAhead,
  RemoteRepository,
} from '../../ports/content/remote-repository.ts'
import { createMerging, type FileMerger, type NotedMerging } from './merge-files.ts'
import { type KeptChange, type LeftOut, takeUp } from './take-up.ts'

const blobsUnderWay = 8

/** As for a file that `PUT` stores. */
const maxFileBytes = 26_214_400

/** Bytes that were erased here for good, and that a commit of others has. */
export interface ReturnedBytes {
  /** The SHA-256 of the bytes, where the error says that they are not kept since they are erased. */
  refusedIn(error: unknown): string | undefined
  /** Told before their commit is merged: from then on the repository has them again, whatever happens. */
  found(sha256s: readonly string[]): Promise<void>
  /** Told once nothing more of them comes, so that they can be taken out. */
  takenUp(): void
}

/** While it is shared no commit gets another id; before and afterwards it may. */
export interface SharedHistory {
  /** Grows each time that commits have got other ids. */
  readonly epoch: number
  share<T>(work: () => Promise<T>): Promise<T>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'commit'>
  readonly history: SharedHistory
  readonly returned: ReturnedBytes
  /** For files of whose changes both can stay. */
  readonly merger?: FileMerger | undefined
  readonly remote: Pick<RemoteRepository, 'commits'>
  /** The most that a file may have whose bytes commits only name. */
  readonly maxOutsideBytes: number
  /** Told of each commit once it is published. */
  readonly onTakenUp: (taken: TakenUpCommit) => void
  readonly signal: AbortSignal
}

/** Where the remote stood when commits had the ids of an epoch. */
interface AheadOfEpoch extends RemoteAhead {
  readonly epoch: number
}

interface ImportDependencies extends Dependencies {
  readonly ahead: AheadOfEpoch
  readonly merging: NotedMerging | undefined
}

export interface TakenUpCommit {
  readonly id: string
  readonly author: string
  readonly subject: string
  readonly leftOut: readonly LeftOut[]
}

/**
 * Takes up what others did at the remote: for each of their commits one of ours, by the same author,
 * that merges it; where it has very many files, after others with the first of them. Along first parents our history stays one line, and theirs leads on to it, so that
 * nothing at the remote has to be written over.
 */
export async function importForeign(
  dependencies: Dependencies,
  ahead: AheadOfEpoch,
): Promise<void> {
  const { merger, returned } = dependencies
  const merging = merger && createMerging(merger, ahead.commonId)
  let hasErased = false
  try {
    for await (const commit of dependencies.remote.commits(ahead)) {
      dependencies.signal.throwIfAborted()
      const erased = await importCommit({ ...dependencies, ahead, merging }, commit)
      hasErased ||= erased.length > 0
    }
  } finally {
    if (hasErased) returned.takenUp()
  }
}

/** Answers what of it is erased here. */
async function importCommit(
  dependencies: ImportDependencies,
  { id, author, subject, changes, unfit }: ForeignCommit,
): Promise<readonly string[]> {
  const { merging, onTakenUp, maxOutsideBytes, returned } = dependencies
  const limitOf = ({ isOutside = false }: ForeignContent) =>
    isOutside ? maxOutsideBytes : maxFileBytes
  const isFitting = ({ after }: ForeignChange) => !after || after.sizeBytes <= limitOf(after)
  const fitting = changes.filter(isFitting)
  const tooLarge = changes.flatMap((change) =>
    change.after && !isFitting(change)
      ? [{ path: change.path, why: `it is larger than ${limitOf(change.after)} bytes` }]
      : [],
  )
  const all = await mapConcurrently(fitting, blobsUnderWay, (change) => keep(change, returned))
  const kept = all.filter((change) => !isWithoutBytes(change))
  const lost = all.filter(isWithoutBytes).map(({ path, erased }) => ({
    path,
    why: erased === undefined ? 'the remote does not have its bytes' : 'it was erased for good',
  }))
  const erased = all.flatMap((change) => change.erased ?? [])
  if (erased.length > 0) await returned.found(erased)
  const leftOut: LeftOut[] = [...unfit, ...tooLarge, ...lost]
  const parts = partsOf(kept)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const request = isLast
      ? { subject, author, mergedId: id }
      : { subject: `${subject} (${index + 1} of ${parts.length})`, author }
    leftOut.push(...(await commitPart(dependencies, request, part)))
  }
  merging?.note(kept)
  onTakenUp({ id, author, subject, leftOut })
  return erased
}

/** Answers what could not be taken. What is wrong with one path is a fault of that path alone. */
async function commitPart(
  dependencies: Pick<ImportDependencies, 'content' | 'history' | 'ahead' | 'merging'>,
  request: CommitRequest,
  part: readonly KeptChange[],
): Promise<readonly LeftOut[]> {
  const { content, history, ahead, merging } = dependencies
  let leftOut: readonly LeftOut[] = []
  const plan: Plan = async (tree) => {
    const taken = await takeUp(tree, part, merging)
    ;({ leftOut } = taken)
    return taken.changes
  }
  try {
    await history.share(async () => {
      // Their commit may not be here any more.
      if (history.epoch !== ahead.epoch) throw new Error('Commits have got other ids meanwhile')
      await content.commit(request, plan)
    })
    return leftOut
  } catch (error) {
    if (!(error instanceof UnfittingChangeError)) throw error
    const { path, why } = error
    const others = part.filter((change) => change.path !== path)
    if (others.length === part.length) throw error
    return [{ path, why }, ...(await commitPart(dependencies, request, others))]
  }
}

/** So that no writer waits long: a commit of others may have any number of files. */
const partLength = 1_000

function partsOf(changes: readonly KeptChange[]): readonly (readonly KeptChange[])[] {
  const count = Math.max(1, Math.ceil(changes.length / partLength))
  return Array.from({ length: count }, (_, index) =>
    changes.slice(index * partLength, (index + 1) * partLength),
  )
}

const isWithoutBytes = ({ after, blob }: KeptChange): boolean =>
  after !== undefined && blob === undefined

interface KeptOrErased extends KeptChange {
  /** The SHA-256 of what is not kept. */
  readonly erased?: string
}

/** Before any writer has to wait for it. */
async function keep(change: ForeignChange, returned: ReturnedBytes): Promise<KeptOrErased> {
  try {
    return { ...change, blob: await change.after?.keep() }
  } catch (error) {
    const erased = returned.refusedIn(error)
    if (erased === undefined) throw error
    return { ...change, blob: undefined, erased }
  }
}
