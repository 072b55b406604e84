import type { CallKind, CallRow } from '../../ports/traffic/traffic-store.ts'

/** Counts what is asked of models that the operator has set, until someone takes the counts away. */
export interface CallCounter {
  /** @param zone - the one whose file it is about; `''` where it is about none. */
  count(kind: CallKind, zone: string): void
  /** The rows since the last call. */
  take(): readonly CallRow[]
}

const kinds: readonly CallKind[] = ['vision', 'chat', 'embedding']

const none = () => ({ vision: 0, chat: 0, embedding: 0 }) satisfies Record<CallKind, number>

export function createCallCounter(): CallCounter {
  let callsByZone = new Map<string, ReturnType<typeof none>>()
  return {
    count(kind, zone) {
      const calls = callsByZone.get(zone) ?? none()
      calls[kind] += 1
      callsByZone.set(zone, calls)
    },
    take() {
      const taken = [...callsByZone]
      callsByZone = new Map()
      return taken.flatMap(([zone, calls]) =>
        kinds.filter((kind) => calls[kind] > 0).map((kind) => ({ zone, kind, calls: calls[kind] })),
      )
    },
  }
}
