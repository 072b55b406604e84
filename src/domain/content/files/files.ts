import {
  type BlobRef,
  type BlobStore,
  type IncomingBlob,
} from '../../../ports/content/blob-store.ts'
import type { Change, Put, Tree } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { ServiceError, zoneNotFound, zoneSuspended } from '../../errors.ts'
import type { Committer } from '../committer.ts'
import type { Calm } from '../../../lib/async/calm.ts'
import { type AssetPath, repositoryPath, zoneOf } from '../asset-path.ts'
import { sidecarRemoval } from '../metadata/sidecar-paths.ts'
import { createMutualGuard, refuseConflicts, requireWritableZone } from '../write-guards.ts'
import { isUnavailable } from '../../../ports/store-unavailable-error.ts'
import {
  type ArrivingFile,
  maxGroupFiles,
  type Receiving,
  type RefusedFile,
} from './put/arriving-groups.ts'
import { currentBlob, outcomeOf, putOf, type WrittenFile } from './put/file-put.ts'
import { putEach, type StoredOrRefused } from './put/put-each.ts'

/** Whether a write may go on, given the SHA-256 of what is stored now (`undefined`: nothing). */
export type Precondition = (currentSha256: string | undefined) => boolean

export interface PutRequest {
  readonly path: AssetPath
  /** What has come in already is kept durably, and disposed. */
  readonly source: ReadableStream<Uint8Array> | Uint8Array | IncomingBlob
  /** The request's `Content-Type`; the file name decides where it says nothing. */
  readonly contentType?: string | null
  /** Lower-case hex; a body with another SHA-256 is refused and not stored. */
  readonly expectedSha256?: string
  readonly precondition?: Precondition
  /** What else belongs into the same commit, e.g. what is known of the file. */
  readonly beside?: (tree: Tree, blob: BlobRef) => Promise<readonly Change[]>
}

export interface BatchItem {
  readonly path: AssetPath
  /** What the request calls it, for refusals: `files[3]`. */
  readonly name: string
  /** The bytes, made one item at a time so that a large batch is never decoded whole in memory. */
  bytes(): Uint8Array
}

export interface CommittedBatch {
  readonly commitId: string
  readonly paths: readonly AssetPath[]
}

/** The files of the zones. Every change is durable and published when it is answered. */
export interface Files {
  put(request: PutRequest, actor: Actor): Promise<WrittenFile>
  /** Refuses an absent path with `AssetNotFound` and a directory with `InvalidParameter`. */
  remove(path: AssetPath, actor: Actor, precondition?: Precondition): Promise<void>
  /** All files in one commit, or none. */
  putAll(items: readonly BatchItem[], actor: Actor): Promise<CommittedBatch>
  /** Stores files as they come, however many, as {@link putEach} says. */
  putEach(
    files: AsyncIterable<ArrivingFile | RefusedFile>,
    actor: Actor,
  ): AsyncGenerator<readonly StoredOrRefused[], void, undefined>
}

interface Dependencies {
  readonly blobs: BlobStore
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly publisher: Committer
  readonly head: () => Promise<string | undefined>
  /** Told of what comes in; nobody waits for it where it is left out. */
  readonly calm?: Pick<Calm, 'begin'>
}

export const createFiles = (dependencies: Dependencies): Files => ({
  async put(request, actor) {
    using _coming = dependencies.calm?.begin(1)
    return await putFile(dependencies, request, actor)
  },
  remove: (path, actor, precondition) => removeFile(dependencies, { path, precondition }, actor),
  async putAll(items, actor) {
    using _coming = dependencies.calm?.begin(items.length)
    return await putFiles(dependencies, items, actor)
  },
  async *putEach(files, actor) {
    using _coming = dependencies.calm?.begin(maxGroupFiles)
    yield* putEach({ ...dependencies, ...receiving(dependencies, actor) }, files, actor)
  },
})

const receiving = ({ blobs, published }: Dependencies, actor: Actor): Receiving => ({
  requireOpen: (path) => requireOpenZone(path, actor, published),
  async receive({ path, source, expectedSha256 }) {
    const expected = expectedSha256 === undefined ? {} : { expectedSha256 }
    await using incoming = await receive({ path, source, ...expected }, blobs)
    return await keep(incoming)
  },
})

async function putFile(
  { blobs, published, publisher }: Dependencies,
  request: PutRequest,
  actor: Actor,
): Promise<WrittenFile> {
  const { path, precondition } = request
  requireOpenZone(path, actor, published)
  const guarded = async (tree: Tree): Promise<BlobRef | undefined> => {
    await requireWritableZone(tree, zoneOf(path))
    await refuseConflicts(tree, path)
    const current = await currentBlob(tree, path)
    requirePrecondition(precondition, current?.sha256)
    return current
  }
  await using incoming = await receive(request, blobs)
  const meta = { size: incoming.sizeBytes, checksum: incoming.sha256 }
  const change = { action: 'storage.put', subject: `Put ${path}`, target: path, actor, meta }
  const isStaged = hasArrived(request.source)
  // What is refused must not become a blob first, which would lie there for days.
  if (isStaged) await publisher.commit(change, async (tree) => void (await guarded(tree)))
  const blob = await (isStaged ? keepDurably(incoming) : keep(incoming))
  const wanted = putOf(path, blob, request.contentType)
  let outcome: WrittenFile['outcome'] = 'unchanged'
  const commit = await publisher.commit(change, async (tree) => {
    outcome = outcomeOf(wanted, await guarded(tree), published.asset(path))
    const beside = (await request.beside?.(tree, blob)) ?? []
    return [...(outcome === 'unchanged' ? [] : [wanted]), ...beside]
  })
  const commitId = outcome === 'unchanged' ? published.asset(path)?.commitId : commit?.id
  return { path, ...blob, outcome, commitId }
}

interface RemoveRequest {
  readonly path: AssetPath
  readonly precondition: Precondition | undefined
}

async function removeFile(
  { published, publisher }: Dependencies,
  { path, precondition }: RemoveRequest,
  actor: Actor,
): Promise<void> {
  requireOpenZone(path, actor, published)
  await publisher.commit(
    { action: 'storage.delete', target: path, subject: `Delete ${path}`, actor },
    async (tree) => {
      await requireWritableZone(tree, zoneOf(path))
      const found = await tree.find(repositoryPath(path))
      if (!found)
        throw new ServiceError('AssetNotFound', `No file at "${path}"`, { target: 'path' })
      if (found.kind === 'directory') throw isDirectory()
      if (precondition) requirePrecondition(precondition, (await found.blob()).sha256)
      return [{ kind: 'delete', path: repositoryPath(path) }, ...(await sidecarRemoval(tree, path))]
    },
  )
}

async function putFiles(
  { blobs, published, publisher, head }: Dependencies,
  items: readonly BatchItem[],
  actor: Actor,
): Promise<CommittedBatch> {
  const paths = items.map(({ path }) => path)
  const refuseBeside = createMutualGuard(paths)
  for (const item of items)
    await naming(item, () => {
      requireOpenZone(item.path, actor, published)
      refuseBeside(item.path)
    })
  const puts: BatchPut[] = []
  for (const item of items) {
    await using incoming = await receive({ path: item.path, source: item.bytes() }, blobs)
    puts.push({ ...putOf(item.path, await keep(incoming), undefined), item })
  }
  const zones = [...new Set(paths.map(zoneOf))]
  const commit = await publisher.commit(
    {
      action: 'storage.batch',
      target: zones.join(','),
      subject: `Put ${paths.length} files into ${zones.join(', ')}`,
      actor,
      meta: { files: paths.length },
    },
    (tree) => planBatch(tree, { puts, published }),
  )
  return { commitId: commit?.id ?? (await head()) ?? '', paths }
}

type BatchPut = Put & { readonly item: BatchItem }

interface BatchPlan {
  readonly puts: readonly BatchPut[]
  readonly published: Pick<Manifest, 'asset'>
}

async function planBatch(tree: Tree, { puts, published }: BatchPlan) {
  const openZones = new Set<string>()
  const changed: Put[] = []
  for (const put of puts) {
    const { path } = put.item
    const zone = zoneOf(path)
    await naming(put.item, async () => {
      if (!openZones.has(zone)) await requireWritableZone(tree, zone)
      openZones.add(zone)
      await refuseConflicts(tree, path)
    })
    const current = await currentBlob(tree, path)
    if (outcomeOf(put, current, published.asset(path)) !== 'unchanged') changed.push(put)
  }
  return changed.length > 0 ? changed : undefined
}

/** A refusal of one file of many says which. */
async function naming(item: BatchItem, check: () => void | Promise<void>): Promise<void> {
  try {
    await check()
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown
    const { code, message, context } = thrown
    const target = `${item.name}.path`
    const details = [{ code, target, message }]
    throw new ServiceError(code, message, { target, details, context, cause: thrown })
  }
}

/** What can be refused before a body is read; the plan asks again, of the newest tree. */
export function requireOpenZone(
  path: AssetPath,
  actor: Actor,
  published: Pick<Manifest, 'zone'>,
): void {
  const name = zoneOf(path)
  requireZone(actor, name)
  const zone = published.zone(name)
  if (!zone) throw zoneNotFound(name)
  if (zone.suspended) throw zoneSuspended(name)
}

async function receive(
  { source, expectedSha256 }: PutRequest,
  blobs: BlobStore,
): Promise<IncomingBlob> {
  const incoming = hasArrived(source) ? source : await translated(() => blobs.receive(source))
  if (expectedSha256 === undefined || expectedSha256 === incoming.sha256) return incoming
  await incoming[Symbol.asyncDispose]()
  throw new ServiceError(
    'ChecksumMismatch',
    'The body does not have the SHA-256 that was sent with it',
    {
      target: 'Checksum',
      context: { Expected: expectedSha256, Received: incoming.sha256 },
    },
  )
}

/** The commit holds the bytes too, and is durable before anything is answered. */
const keep = (incoming: IncomingBlob): Promise<BlobRef> => translated(() => incoming.keepLazily())

/** Bytes that were acknowledged before lie nowhere else meanwhile. */
const keepDurably = (incoming: IncomingBlob): Promise<BlobRef> => translated(() => incoming.keep())

const hasArrived = (source: PutRequest['source']): source is IncomingBlob => 'keep' in source

/** A body that breaks its own limits is the caller's; a store that cannot keep it is not. */
async function translated<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (cause) {
    if (isUnavailable(cause, 'blobs'))
      throw new ServiceError('Unavailable', 'The blob store cannot take writes right now', {
        cause,
      })
    throw cause
  }
}

function requirePrecondition(
  precondition: Precondition | undefined,
  sha256: string | undefined,
): void {
  if (precondition && !precondition(sha256))
    throw new ServiceError('PreconditionFailed', 'The stored file is not the one the request names')
}

const isDirectory = () =>
  new ServiceError(
    'InvalidParameter',
    'path names a directory; files are deleted one by one, zones whole',
    {
      target: 'path',
    },
  )
