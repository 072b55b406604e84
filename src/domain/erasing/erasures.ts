import type { ErasureStore } from '../../ports/erasing/erasure-store.ts'
import type { Publication, PublicationStore } from '../../ports/content/publication-store.ts'
import type { ErasureRecord } from '../../ports/records/erasure.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { type Actor, auditRecordOf, requireAllZones } from '../access/actor.ts'
import type { ErasedNames } from '../content/erased-bytes.ts'
import { invalid, ServiceError } from '../errors.ts'
import type { LocalFeed } from '../feed.ts'
import { markerSha256 } from './erased-marker.ts'
import type { ErasingPlace } from './erasing-place.ts'
import { type ErasureTarget, findTarget, type FoundTarget } from './erasure-targets.ts'

/** What an erasure would be about. */
export interface ErasurePlan extends FoundTarget {
  /** The names of the places that it would go through. */
  readonly places: readonly string[]
}

export interface ErasureRequest {
  readonly target: ErasureTarget
  readonly reason: string
  /** The path or the SHA-256 once more, typed by whoever means it. */
  readonly confirmation: string | undefined
}

/** Orders to forget bytes for good. Only who reaches every zone gives and sees them. */
export interface Erasures {
  /** Changes nothing. */
  plan(target: ErasureTarget, actor: Actor): Promise<ErasurePlan>
  /**
   * When this resolves, nobody is given the bytes at this node any more, and it will be gone on with until every
   * place has confirmed, whatever happens to the process.
   */
  order(request: ErasureRequest, actor: Actor): Promise<ErasureRecord>
  find(id: string, actor: Actor): Promise<ErasureRecord>
  list(
    page: { readonly limit: number; readonly before?: string | undefined },
    actor: Actor,
  ): Promise<readonly ErasureRecord[]>
}

interface Dependencies extends AnnouncingDependencies {
  readonly published: Pick<Catalog, 'asset' | 'all'>
  readonly versions: Parameters<typeof findTarget>[1]['versions']
  readonly blobs: Parameters<typeof findTarget>[1]['blobs']
  readonly places: readonly ErasingPlace[]
  /** Told that there is work. */
  readonly wake: () => void
  readonly newId: () => string
}

export function createErasures(dependencies: Dependencies): Erasures {
  const { store, now, newId, wake } = dependencies

  return {
    async plan(target, actor) {
      requireAllZones(actor)
      const found = await findTarget(target, dependencies)
      return { ...found, places: await namesOf(dependencies.places) }
    },
    async order({ target, reason, confirmation }, actor) {
      requireAllZones(actor)
      requireConfirmation(target, confirmation)
      const { path, blobs, files } = await findTarget(target, dependencies)
      const createdAt = now()
      const places = await namesOf(dependencies.places)
      const erasure: ErasureRecord = {
        id: newId(),
        path,
        blobs,
        reason,
        createdAt,
        doneAt: undefined,
        createdBy: actor.credentialId,
        paths: [...new Set(files.map((file) => file.path))],
        commits: undefined,
        feedSeq: undefined,
        places: places.map((name) => ({ name, state: 'waiting', at: createdAt, detail: '' })),
      }
      await store.add(erasure)
      const told = await announceErasure(erasure, dependencies, actor)
      wake()
      return told
    },
    async find(id, actor) {
      requireAllZones(actor)
      const found = await store.find(id)
      if (found === undefined)
        throw new ServiceError('NotFound', `There is no erasure "${id}"`, { target: 'id' })
      return found
    },
    async list(page, actor) {
      requireAllZones(actor)
      return await store.list(page)
    },
  }
}

async function namesOf(places: readonly ErasingPlace[]): Promise<readonly string[]> {
  const names: string[] = []
  for (const place of places) names.push(...(await place.names()))
  return names
}

function requireConfirmation(target: ErasureTarget, confirmation: string | undefined): void {
  const expected = 'path' in target ? target.path : target.sha256
  if (confirmation !== expected)
    throw invalid(
      'Confirm',
      `must repeat the ${'path' in target ? 'Path' : 'Sha256'}: what is erased cannot be brought back`,
    )
}

export interface AnnouncingDependencies {
  readonly store: ErasureStore
  readonly publications: Pick<PublicationStore, 'publish'>
  readonly published: Pick<Catalog, 'asset'>
  readonly erased: Pick<ErasedNames, 'add'>
  readonly feed: Pick<LocalFeed, 'announce'>
  readonly now: () => Date
}

/** So many paths are told of; edges go by the bytes. */
const namedPathCount = 1_000

/**
 * Has everybody refuse the bytes from now on. Done again where it is not known whether it was done: it then comes
 * to the same.
 */
export async function announceErasure(
  erasure: ErasureRecord,
  { store, publications, published, erased, feed, now }: AnnouncingDependencies,
  actor?: Actor,
): Promise<ErasureRecord> {
  const { id, path, paths } = erasure
  const sha256s = erasure.blobs.map(({ sha256 }) => sha256)
  const wanted = new Set(sha256s)
  const livePaths = paths.filter((each) => wanted.has(published.asset(each)?.sha256 ?? ''))
  const names = [...sha256s, markerSha256(erasure), ...(path === undefined ? [] : [path])]
  const at = now()
  const nothing = { zone: undefined, path: undefined, commitId: undefined }
  const data = { erasure: id, sha256: sha256s, paths: paths.slice(0, namedPathCount) }
  const publication: Publication = {
    erased: [...new Set([...names, ...livePaths])],
    feed: [{ at, event: 'content.erased', ...nothing, data }],
    ...(actor && { audit: [auditRecordOf(deedOf(erasure), actor, at)] }),
  }
  const entries = await publications.publish([publication])
  erased.add(publication.erased ?? [])
  feed.announce(entries)
  const feedSeq = entries.at(-1)?.seq
  if (feedSeq !== undefined) await store.learn(id, { feedSeq })
  return { ...erasure, feedSeq }
}

const deedOf = ({ id, path, blobs, reason, paths }: ErasureRecord) => ({
  action: 'content.erase',
  target: path ?? blobs[0]?.sha256 ?? id,
  meta: {
    erasure: id,
    reason,
    sha256: blobs.map(({ sha256 }) => sha256),
    paths: paths.slice(0, namedPathCount),
  },
})
