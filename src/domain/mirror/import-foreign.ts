import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import {
  type CommitRequest,
  type ContentStore,
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

interface Dependencies {
  readonly content: Pick<ContentStore, 'commit'>
  /** For files of whose changes both can stay. */
  readonly merger?: FileMerger | undefined
  readonly remote: Pick<RemoteRepository, 'commits'>
  /** The most that a file may have whose bytes commits only name. */
  readonly maxOutsideBytes: number
  /** Told of each commit once it is published. */
  readonly onTakenUp: (taken: TakenUpCommit) => void
  readonly signal: AbortSignal
}

interface ImportDependencies extends Dependencies {
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
export async function importForeign(dependencies: Dependencies, ahead: RemoteAhead): Promise<void> {
  const { merger } = dependencies
  const merging = merger && createMerging(merger, ahead.commonId)
  for await (const commit of dependencies.remote.commits(ahead)) {
    dependencies.signal.throwIfAborted()
    await importCommit({ ...dependencies, merging }, commit)
  }
}

async function importCommit(
  { content, merging, onTakenUp, maxOutsideBytes }: ImportDependencies,
  { id, author, subject, changes, unfit }: ForeignCommit,
): Promise<void> {
  const limitOf = ({ isOutside = false }: ForeignContent) =>
    isOutside ? maxOutsideBytes : maxFileBytes
  const isFitting = ({ after }: ForeignChange) => !after || after.sizeBytes <= limitOf(after)
  const fitting = changes.filter(isFitting)
  const tooLarge = changes.flatMap((change) =>
    change.after && !isFitting(change)
      ? [{ path: change.path, why: `it is larger than ${limitOf(change.after)} bytes` }]
      : [],
  )
  const all = await mapConcurrently(fitting, blobsUnderWay, keep)
  const kept = all.filter((change) => !isWithoutBytes(change))
  const lost = all.filter(isWithoutBytes).map(({ path }) => ({
    path,
    why: 'the remote does not have its bytes',
  }))
  const leftOut: LeftOut[] = [...unfit, ...tooLarge, ...lost]
  const parts = partsOf(kept)
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    const request = isLast
      ? { subject, author, mergedId: id }
      : { subject: `${subject} (${index + 1} of ${parts.length})`, author }
    leftOut.push(...(await commitPart({ content, merging }, request, part)))
  }
  merging?.note(kept)
  onTakenUp({ id, author, subject, leftOut })
}

/** Answers what could not be taken. What is wrong with one path is a fault of that path alone. */
async function commitPart(
  dependencies: Pick<ImportDependencies, 'content' | 'merging'>,
  request: CommitRequest,
  part: readonly KeptChange[],
): Promise<readonly LeftOut[]> {
  let leftOut: readonly LeftOut[] = []
  try {
    await dependencies.content.commit(request, async (tree) => {
      const taken = await takeUp(tree, part, dependencies.merging)
      ;({ leftOut } = taken)
      return taken.changes
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

/** Before any writer has to wait for it. */
const keep = async (change: ForeignChange): Promise<KeptChange> => ({
  ...change,
  blob: await change.after?.keep(),
})
