import { z } from 'zod'

import type { Actor } from '../../../domain/access/actor.ts'
import type { FileLocks } from '../../../domain/content/file-locks.ts'
import type { FileLock } from '../../../ports/content/file-lock-store.ts'
import { lfsResponse, readLfsBody } from './lfs-wire.ts'

/** A request about locks, by whom. https://github.com/git-lfs/git-lfs/blob/main/docs/api/locking.md */
export interface LockRequest {
  readonly request: Request
  readonly query: URLSearchParams
  readonly caller: Pick<Actor, 'credentialId' | 'zones'>
}

const creation = z.object({ path: z.string().max(4_096) })
const verification = z.object({
  cursor: z.string().max(4_096).optional(),
  limit: z.int().optional(),
})
const deletion = z.object({ force: z.boolean().optional() })

export async function createLock(
  { request, caller }: LockRequest,
  locks: FileLocks,
): Promise<Response> {
  const { path } = await readLfsBody(request, creation)
  const { lock, isNew } = await locks.lock(path, caller)
  return isNew
    ? lfsResponse({ lock: wireOf(lock) }, 201)
    : lfsResponse({ lock: wireOf(lock), message: 'The file is locked already' }, 409)
}

export async function listLocks(
  { query, caller }: LockRequest,
  locks: FileLocks,
): Promise<Response> {
  const found = await locks.list(
    {
      path: query.get('path') || undefined,
      id: query.get('id') || undefined,
      cursor: query.get('cursor') || undefined,
      limit: limitOf(query.get('limit')),
    },
    caller,
  )
  return lfsResponse({ locks: found.locks.map(wireOf), ...next(found.nextCursor) })
}

/** What a push asks: which of the locks are its own. */
export async function verifyLocks(
  { request, caller }: LockRequest,
  locks: FileLocks,
): Promise<Response> {
  const { cursor, limit } = await readLfsBody(request, verification)
  const found = await locks.list({ cursor: cursor || undefined, limit: limit || undefined }, caller)
  const isOurs = ({ owner }: FileLock): boolean => owner === caller.credentialId
  return lfsResponse({
    ours: found.locks.filter(isOurs).map(wireOf),
    theirs: found.locks.filter((lock) => !isOurs(lock)).map(wireOf),
    ...next(found.nextCursor),
  })
}

export async function deleteLock(
  { request, caller }: LockRequest,
  id: string,
  locks: FileLocks,
): Promise<Response> {
  const { force = false } = await readLfsBody(request, deletion)
  return lfsResponse({ lock: wireOf(await locks.unlock(id, force, caller)) })
}

const next = (cursor: string | undefined) => (cursor === undefined ? {} : { next_cursor: cursor })

const limitOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,6}$/u.test(text) ? Number(text) : undefined

const wireOf = ({ id, path, lockedAt, owner }: FileLock) => ({
  id,
  path,
  locked_at: lockedAt.toISOString(),
  owner: { name: owner },
})
