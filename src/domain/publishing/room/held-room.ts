import {
  type CommitRequest,
  type Plan,
  UnfittingChangeError,
} from '../../../ports/content/content-store.ts'
import { ServiceError } from '../../errors.ts'
import type { Write, ZoneRoom } from './zone-room.ts'

/** What the plan takes of the room is kept until the commit is shown, and given back where none is made. */
export async function withRoom<T>(
  room: ZoneRoom | undefined,
  request: Pick<CommitRequest, 'moves'>,
  commit: (held: (plan: Plan) => Plan) => Promise<T>,
): Promise<T> {
  if (room === undefined) return await commit((plan) => plan)
  const { moves } = request
  const held =
    (plan: Plan): Plan =>
    async (tree) => {
      const changes = await plan(tree)
      if (changes !== undefined) await room.take(request, { changes, moves })
      return changes
    }
  return await settled(room, request, () => commit(held))
}

/** Of changes that are no plan: they hold where nothing has come between, and `make` answers whether. */
export async function withRoomFor(
  room: ZoneRoom | undefined,
  write: Write,
  make: () => Promise<boolean>,
): Promise<boolean> {
  if (room === undefined) return await make()
  const key = {}
  return await settled(room, key, async () => {
    await room.reserve(key, write)
    const isMade = await make()
    if (!isMade) room.release(key)
    return isMade
  })
}

async function settled<T>(room: ZoneRoom, key: object, work: () => Promise<T>): Promise<T> {
  try {
    const made = await work()
    room.land(key)
    return made
  } catch (cause) {
    // What refuses has made no commit; where anything else fails it may be there.
    if (cause instanceof ServiceError || cause instanceof UnfittingChangeError) room.release(key)
    else room.leave(key)
    throw cause
  }
}
