import type { FileLocks } from '../../../domain/content/file-locks.ts'
import { zoneDirectory } from '../../../domain/content/zone-settings.ts'
import type { FileLock } from '../../../ports/content/file-lock-store.ts'

/** The locks of one zone, by the paths that files have in its own repository. */
export function zoneLocks(locks: FileLocks, zone: string): FileLocks {
  const prefix = `${zoneDirectory(zone)}/`
  const within = (lock: FileLock): FileLock => ({ ...lock, path: lock.path.slice(prefix.length) })
  return {
    async lock(path, actor) {
      const { lock, isNew } = await locks.lock(prefix + path, actor)
      return { lock: within(lock), isNew }
    },
    async list({ path, ...question }, actor) {
      const asked = path === undefined ? question : { ...question, path: prefix + path }
      const { locks: found, nextCursor } = await locks.list(asked, actor)
      return { locks: found.map(within), nextCursor }
    },
    unlock: async (id, isForced, actor) => within(await locks.unlock(id, isForced, actor)),
  }
}
