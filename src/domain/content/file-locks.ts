import type { FileLock, FileLockStore } from '../../ports/content/file-lock-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { type Actor, reaches, requireZone } from '../access/actor.ts'
import { invalid, ServiceError } from '../errors.ts'

export interface Locking {
  readonly lock: FileLock
  /** False where somebody, maybe the same one, has it already. */
  readonly isNew: boolean
}

export interface LockQuestion {
  readonly path?: string | undefined
  readonly id?: string | undefined
  /** What the page before answered. */
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface LockListing {
  readonly locks: readonly FileLock[]
  readonly nextCursor: string | undefined
}

/** By which those who edit the repository tell each other what they work on. No write minds them. */
export interface FileLocks {
  lock(path: string, actor: LockActor): Promise<Locking>
  list(question: LockQuestion, actor: LockActor): Promise<LockListing>
  /** The owner's own; with `isForced` anybody's. Throws `NotFound`, and `Forbidden` where it is another's. */
  unlock(id: string, isForced: boolean, actor: LockActor): Promise<FileLock>
}

type LockActor = Pick<Actor, 'credentialId' | 'zones'>

interface Dependencies {
  readonly store: FileLockStore
  readonly manifest: Pick<Manifest, 'zone'>
  readonly now: () => Date
  readonly newId: () => string
}

const maxPathLength = 1_024
const maxLocksOfZone = 10_000
const maxPage = 1_000

export function createFileLocks({ store, manifest, now, newId }: Dependencies): FileLocks {
  /** A zone that was made anew has none of the locks of the one before. */
  const isValid = ({ zone, zoneCommitId }: FileLock): boolean =>
    zone === '' || manifest.zone(zone)?.commitId === zoneCommitId

  const isSeen = (lock: FileLock, actor: LockActor): boolean =>
    isValid(lock) && (actor.zones === undefined || reaches(actor, lock.zone))

  async function add(lock: FileLock): Promise<FileLock> {
    const held = await store.add(lock)
    if (isValid(held)) return held
    await store.remove(held.id)
    return await store.add(lock)
  }

  async function only(lock: FileLock | undefined, actor: LockActor): Promise<LockListing> {
    const isThere = lock !== undefined && isSeen(lock, actor)
    return { locks: isThere ? [lock] : [], nextCursor: undefined }
  }

  return {
    async lock(path, actor) {
      const zone = zoneOfPath(path)
      if (zone !== '' || actor.zones !== undefined) requireZone(actor, zone)
      if ((await store.count(zone)) >= maxLocksOfZone)
        throw new ServiceError('LimitExceeded', `a zone may have at most ${maxLocksOfZone} locks`)
      const zoneCommitId = manifest.zone(zone)?.commitId
      const owner = actor.credentialId
      const wanted = { id: newId(), path, zone, zoneCommitId, owner, lockedAt: now() }
      const lock = await add(wanted)
      return { lock, isNew: lock.id === wanted.id }
    },
    async list({ path, id, cursor, limit = maxPage }, actor) {
      if (id !== undefined) return await only(await store.find(id), actor)
      if (path !== undefined) return await only(await store.findByPath(path), actor)
      const after = cursor === undefined ? undefined : pathOf(cursor)
      const count = Math.min(Math.max(1, limit), maxPage)
      const zones = actor.zones && [...actor.zones]
      const found = await store.list({ after, zones, limit: count })
      const last = found.length === count ? found.at(-1) : undefined
      return { locks: found.filter(isValid), nextCursor: last && cursorOf(last.path) }
    },
    async unlock(id, isForced, actor) {
      const lock = await store.find(id)
      if (lock === undefined || !isSeen(lock, actor))
        throw new ServiceError('NotFound', 'There is no such lock')
      if (lock.owner !== actor.credentialId && !isForced)
        throw new ServiceError('Forbidden', `The lock is of ${lock.owner}: unlock it with --force`)
      await store.remove(id)
      return lock
    },
  }
}

const cursorOf = (path: string): string => Buffer.from(path).toString('base64url')
const pathOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString()

/** Empty where it is no zone's. Throws where it is no path that git could have. */
function zoneOfPath(path: string): string {
  const segments = path.split('/')
  const isPath =
    path.length <= maxPathLength &&
    !/\p{Cc}/u.test(path) &&
    path.isWellFormed() &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  if (!isPath) throw invalid('path', 'must be the path of a file in the repository')
  const [root, zone = ''] = segments
  return root === 'clients' && segments.length > 2 ? zone : ''
}
