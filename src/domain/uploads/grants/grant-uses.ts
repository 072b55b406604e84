import type { UploadGrantStore } from '../../../ports/access/upload-grant-store.ts'
import type {
  StagedUploadRecord,
  StagedUploadStore,
} from '../../../ports/content/staged-upload-store.ts'
import type { Actor } from '../../access/actor.ts'
import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { Uploads } from '../uploads.ts'
import { grantIsUsedUp, serviceFor } from './grant-actor.ts'

/** Holds uses of grants while their uploads go on, and gives back those that nothing comes of. */
export interface GrantUses {
  /** Takes a use for an upload that `task` begins. Throws where none is left. */
  hold<T>(use: HeldUse, task: () => Promise<T>): Promise<T>
  /** Runs a step of an upload. What breaks its grant ends it; what ends without a file gives its use back. */
  follow<T>(use: Pick<HeldUse, 'uploadId' | 'actor'>, task: () => Promise<T>): Promise<T>
  /** Cancels an upload, if it is still open, and gives its use back unless the file may be stored. */
  end(uploadId: string, actor: Actor): Promise<void>
  giveBackUnlessStored(uploadId: string): Promise<void>
  /**
   * Gives back the uses of uploads that nothing will come of. Those that only their own request could have
   * finished are among them where `isStart`: no request has outlived the process.
   */
  settle(isStart?: boolean): Promise<void>
}

interface HeldUse {
  readonly uploadId: string
  readonly grantId: string
  readonly actor: Actor
}

interface Dependencies {
  readonly uploads: Pick<Uploads, 'cancel'>
  readonly staged: Pick<StagedUploadStore, 'find'>
  readonly store: UploadGrantStore
  readonly now: () => Date
}

export function createGrantUses({ uploads, staged, store, now }: Dependencies): GrantUses {
  /** Uploads whose records are about to be written. */
  const beginning = new Set<string>()

  async function giveBackUnlessStored(id: string): Promise<void> {
    if ((await store.use(id))?.isStored === false) await store.giveBack(id)
  }

  async function follow<T>(
    { uploadId, actor }: Pick<HeldUse, 'uploadId' | 'actor'>,
    task: () => Promise<T>,
  ): Promise<T> {
    try {
      return await task()
    } catch (thrown) {
      const record = await staged.find(uploadId)
      const isOpen = record !== undefined && record.outcome === undefined
      if (isOpen && breaksGrant(thrown)) await uploads.cancel(uploadId, actor)
      if (!isOpen || breaksGrant(thrown)) await store.giveBack(uploadId)
      throw discreet(thrown)
    }
  }

  async function end(uploadId: string, actor: Actor): Promise<void> {
    const record = await staged.find(uploadId)
    try {
      await uploads.cancel(uploadId, actor)
    } catch (thrown) {
      // It is over already, or its own request takes its place and meets the end of the grant.
      if (!(thrown instanceof ServiceError)) throw thrown
    }
    // Where it did not come to a commit nothing is stored, whatever was noted before.
    if (record?.commit === undefined) await store.giveBack(uploadId)
    else await giveBackUnlessStored(uploadId)
  }

  async function settleOne(
    { uploadId, grantId }: Pick<HeldUse, 'uploadId' | 'grantId'>,
    isStart: boolean,
  ): Promise<void> {
    const record = await staged.find(uploadId)
    if (record?.outcome?.kind === 'written') await store.noteStored(uploadId)
    else if (isOver(record, now())) await giveBackUnlessStored(uploadId)
    else if (isStart && record?.grant?.isAtOnce === true) await end(uploadId, serviceFor(grantId))
  }

  return {
    follow,
    end,
    giveBackUnlessStored,
    async hold(use, task) {
      const { uploadId, grantId } = use
      beginning.add(uploadId)
      try {
        if (!(await store.takeUse(grantId, uploadId))) throw grantIsUsedUp()
        return await follow(use, task)
      } finally {
        beginning.delete(uploadId)
      }
    },
    async settle(isStart = false) {
      for (const use of await store.openUses())
        if (!beginning.has(use.uploadId)) await settleOne(use, isStart)
    },
  }
}

const isOver = (record: StagedUploadRecord | undefined, now: Date): boolean =>
  record === undefined || record.outcome !== undefined || record.expiresAt <= now

const breaking: ReadonlySet<ErrorCode> = new Set(['PayloadTooLarge', 'UnsupportedMediaType'])

const breaksGrant = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && breaking.has(thrown.code)

/** Who has no key is not told how other files are called. */
function discreet(thrown: unknown): unknown {
  if (!(thrown instanceof ServiceError) || thrown.code !== 'PathConflict') return thrown
  const message = 'No file can be stored under this name'
  return new ServiceError('PathConflict', message, { target: 'path', cause: thrown })
}
