import { takeTurns } from '../../lib/async/turns.ts'
import type { BlobStore, IncomingBlob } from '../../ports/content/blob-store.ts'
import type { Change, Plan } from '../../ports/content/content-store.ts'
import type { StagedBytes } from '../../ports/content/staged-bytes.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { ServiceError } from '../errors.ts'
import { isLetGo, letGoError } from './let-go.ts'

/** Thousands of changes let requests be answered meanwhile. */
const changesPerTurn = 5_000

/** What nobody is given any more: bytes by their SHA-256, and paths that had them. It only grows. */
export interface ErasedNames {
  isErased(name: string): boolean
  add(names: readonly string[]): void
  /** In byte order. */
  all(): readonly string[]
}

export function createErasedNames(known: readonly string[]): ErasedNames {
  const names = new Set(known)
  return {
    isErased: (name) => names.has(name),
    add(more) {
      for (const name of more) names.add(name)
    },
    all: () => [...names].toSorted(),
  }
}

const erasedError = (what: string) =>
  new ServiceError('Erased', `${what} was erased for good`, { target: 'path' })

/** Of bytes that were to be kept or read, and are erased. */
export class ErasedBytesError extends ServiceError {
  readonly sha256: string

  constructor(sha256: string) {
    const what = `The content with the SHA-256 ${sha256}`
    super('Erased', `${what} was erased for good`, { target: 'path' })
    this.sha256 = sha256
  }
}

/**
 * What is found at a path. Throws `Erased` of erased bytes, and where nothing is since they went; `VersionGone` of
 * what its zone has let go.
 */
export function unerased<T extends { readonly sha256: string }>(
  path: string,
  found: T | undefined,
  { isErased }: Pick<Manifest, 'isErased'>,
): T | undefined {
  if (isErased(found?.sha256 ?? path)) throw erasedError(`What was at "${path}"`)
  if (isLetGo(found?.sha256)) throw letGoError(`What was at "${path}"`)
  return found
}

type Erased = Pick<Manifest, 'isErased'>

/**
 * The same blobs without those that are erased: reading and keeping such throws `Erased`. Asked whether it has
 * them, it says no. They can still be removed.
 */
export function withoutErased(blobs: BlobStore, erased: Erased): BlobStore {
  const unlessErased = <T>(sha256: string, work: () => Promise<T>): Promise<T> =>
    erased.isErased(sha256) ? Promise.reject(refusalOf(sha256)) : work()
  const ifThere = async <T>(sha256: string, work: () => Promise<T>): Promise<T | undefined> =>
    erased.isErased(sha256) ? undefined : await work()
  return {
    receive: async (source) => guarded(await blobs.receive(source), erased),
    stat: (sha256) => ifThere(sha256, () => blobs.stat(sha256)),
    read: (sha256) => unlessErased(sha256, () => blobs.read(sha256)),
    ...(blobs.readAtOnce && {
      readAtOnce: (sha256: string, into: Uint8Array) =>
        !erased.isErased(sha256) && blobs.readAtOnce?.(sha256, into) === true,
    }),
    open: (sha256, range) => unlessErased(sha256, () => blobs.open(sha256, range)),
    ...(blobs.path && {
      path: (sha256) => unlessErased(sha256, async () => await blobs.path?.(sha256)),
    }),
    ...(blobs.dropDamagedCopy && {
      dropDamagedCopy: async (sha256) => (await blobs.dropDamagedCopy?.(sha256)) ?? false,
    }),
    flush: (sha256) => ifThere(sha256, () => blobs.flush(sha256)),
    renew: (sha256) => ifThere(sha256, () => blobs.renew(sha256)),
    isIntact: (sha256) => blobs.isIntact(sha256),
    checkpoint: (mark) => blobs.checkpoint(mark),
    awaitsCheckpoint: () => blobs.awaitsCheckpoint?.() ?? false,
    lastCheckpoint: () => blobs.lastCheckpoint(),
    list: () => blobs.list(),
    remove: (sha256, keptBefore) => blobs.remove(sha256, keptBefore),
    [Symbol.asyncDispose]: () => blobs[Symbol.asyncDispose](),
  }
}

/** The same staged bytes, of which none becomes a blob that is erased. */
export function stagedWithoutErased(staged: StagedBytes, erased: Erased): StagedBytes {
  const checked = (incoming: IncomingBlob | undefined) => incoming && guarded(incoming, erased)
  return {
    size: (id) => staged.size(id),
    append: (id, piece) => staged.append(id, piece),
    first: (id, count) => staged.first(id, count),
    finish: async (id) => checked(await staged.finish(id)),
    join: async (ids) => checked(await staged.join(ids)),
    drop: (id) => staged.drop(id),
    list: () => staged.list(),
    [Symbol.asyncDispose]: () => staged[Symbol.asyncDispose](),
  }
}

/** The same plan, refused where it puts bytes that are erased or let go, whatever it had them from. */
export function planWithoutErased(plan: Plan, { isErased }: Pick<Manifest, 'isErased'>): Plan {
  return async (tree) => {
    const changes = await plan(tree)
    const turns = takeTurns(changesPerTurn)
    for (const change of changes ?? []) {
      requireUnerased(change, isErased)
      await turns.after(1)
    }
    return changes
  }
}

function requireUnerased(change: Change, isErased: Manifest['isErased']): void {
  if (change.kind !== 'put') return
  if (isErased(change.blob.sha256)) throw refusalOf(change.blob.sha256)
  if (isLetGo(change.blob.sha256)) throw letGoError(`What is to be at "${change.path}"`)
}

/** The class may have parts of its own: what it has is asked of it, and not copied. */
const guarded = (incoming: IncomingBlob, erased: Erased): IncomingBlob => ({
  sha256: incoming.sha256,
  sizeBytes: incoming.sizeBytes,
  keep: async () => await keptUnlessErased(incoming, erased, () => incoming.keep()),
  keepLazily: async () => await keptUnlessErased(incoming, erased, () => incoming.keepLazily()),
  [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
})

async function keptUnlessErased<T>(
  { sha256 }: IncomingBlob,
  erased: Erased,
  keep: () => Promise<T>,
): Promise<T> {
  if (erased.isErased(sha256)) throw refusalOf(sha256)
  return await keep()
}

const refusalOf = (sha256: string) => new ErasedBytesError(sha256)
