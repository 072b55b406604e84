import { ServiceError } from '../errors.ts'

interface Turn {
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Who works on an upload: one at a time, and the newest who asks. */
export interface UploadTurns {
  /**
   * Breaks off who has the turn, waits until they have let go, and runs `task`. Its signal is aborted when
   * a newer one asks. Of several who wait the newest gets it; the others are refused.
   */
  take<T>(id: string, task: (signal: AbortSignal) => Promise<T>): Promise<T>
  has(id: string): boolean
}

export function createUploadTurns(): UploadTurns {
  const turnById = new Map<string, Turn>()

  return {
    has: (id) => turnById.has(id),
    async take(id, task) {
      const former = turnById.get(id)
      const controller = new AbortController()
      const { promise: done, resolve } = Promise.withResolvers<void>()
      const turn: Turn = { controller, done }
      turnById.set(id, turn)
      former?.controller.abort(takenOver())
      try {
        await former?.done
        controller.signal.throwIfAborted()
        return await task(controller.signal)
      } finally {
        if (turnById.get(id) === turn) turnById.delete(id)
        resolve()
      }
    },
  }
}

const takenOver = () =>
  new ServiceError('WriteConflict', 'A newer request for this upload took the place of this one')
