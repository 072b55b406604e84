import { useEffect, useSyncExternalStore } from 'react'

import { connection } from '../api/connection.ts'
import { reloadForNewVersion } from '../api/new-version.ts'
import { t } from '../language/text.ts'

export type LateState<Value> =
  | { readonly kind: 'absent' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'there'; readonly value: Value }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A part of the dashboard that is fetched when it is first wanted, or a little before. */
export interface LateModule<Value> {
  readonly state: () => LateState<Value>
  /** Fetches it, once; after a failure again. Never rejects. */
  readonly load: () => Promise<void>
  /** The same for what nobody waits for yet: a failure is forgotten. */
  readonly prefetch: () => Promise<void>
  readonly subscribe: (listener: () => void) => () => void
}

export function createLateModule<Value>(fetchModule: () => Promise<Value>): LateModule<Value> {
  let state: LateState<Value> = { kind: 'absent' }
  const listeners = new Set<() => void>()
  const become = (next: LateState<Value>) => {
    state = next
    for (const listener of listeners) listener()
  }
  let fetching: Promise<void> | undefined
  async function fetchNow(afterFailure: (error: unknown) => LateState<Value>): Promise<void> {
    become({ kind: 'loading' })
    try {
      become({ kind: 'there', value: await fetchModule() })
    } catch (error) {
      become(afterFailure(error))
    } finally {
      fetching = undefined
    }
  }
  const fetchAs = async (afterFailure: (error: unknown) => LateState<Value>): Promise<void> => {
    if (state.kind !== 'there') await (fetching ??= fetchNow(afterFailure))
  }
  return {
    state: () => state,
    async load() {
      const wasFailed = state.kind === 'failed'
      await fetchAs((cause) => ({ kind: 'failed', error: notLoaded(cause) }))
      // What a browser could not fetch once it may not fetch again: then the page begins anew.
      if (state.kind === 'failed') await reloadForNewVersion({ evenTheSame: wasFailed })
    },
    prefetch: () => fetchAs(() => ({ kind: 'absent' })),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Browsers speak of a dynamically imported module, which tells nobody what to do. */
const notLoaded = (cause: unknown): Error =>
  new Error(t('This part of the dashboard could not be loaded. Check the connection.'), { cause })

/** The state of a part that is wanted now: it is fetched, and again once the connection is back. */
export function useLate<Value>(module: LateModule<Value>): LateState<Value> {
  const state = useSyncExternalStore(module.subscribe, module.state)
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost)
  const isAbsent = state.kind === 'absent'
  useEffect(() => {
    if (isAbsent) void module.load()
  }, [module, isAbsent])
  useEffect(() => {
    if (!isLost && module.state().kind === 'failed') void module.load()
  }, [module, isLost])
  return state
}
