import { t } from '../language/text.ts'

type Listener = () => void

interface Waiting {
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Holds calls back while nobody is signed in. A session that ends in the middle of work takes nothing
 * that was typed with it: the page stays, one signs in above it, and what waited goes on.
 */
function createSessionGate() {
  const waiting = new Set<Waiting>()
  const listeners = new Set<Listener>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const settle = (how: (each: Waiting) => void) => {
    const all = [...waiting]
    waiting.clear()
    for (const each of all) how(each)
    tell()
  }
  return {
    /** Resolves once somebody has signed in; rejects where they would rather not. */
    signInAgain: () =>
      new Promise<void>((resolve, reject) => {
        waiting.add({ resolve, reject })
        tell()
      }),
    signedIn: () => settle(({ resolve }) => resolve()),
    givenUp: () => settle(({ reject }) => reject(new Error(t('You are signed out.')))),
    isClosed: () => waiting.size > 0,
    subscribe: (listener: Listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const sessionGate = createSessionGate()
