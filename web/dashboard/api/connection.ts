/** What the connection needs of the browser. */
export interface ConnectionWorld {
  /** Whether the service answers anything at all. Never rejects. */
  readonly ping: () => Promise<boolean>
  /** Ends early where the browser says that it has a network again, or somebody does not want to wait. */
  readonly wait: (ms: number) => Promise<void>
}

export interface Connection {
  readonly isLost: () => boolean
  /** Looks whether the service answers, and where it does not, until it does. */
  readonly doubt: () => void
  readonly subscribe: (listener: () => void) => () => void
}

const firstWaitMs = 1_000
const longestWaitMs = 15_000

/** Knows whether the service can be reached: one request that fails may have reasons of its own. */
export function createConnection({ ping, wait }: ConnectionWorld): Connection {
  const listeners = new Set<() => void>()
  let isLost = false
  let isLooking = false
  const become = (next: boolean) => {
    if (isLost === next) return
    isLost = next
    for (const listener of listeners) listener()
  }
  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    for (let waitMs = firstWaitMs; !(await ping()); waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      become(true)
      await wait(waitMs)
    }
    isLooking = false
    become(false)
  }
  return {
    isLost: () => isLost,
    doubt: () => void look(),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const pingTimeoutMs = 10_000

async function isAnswered(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(pingTimeoutMs)
    await fetch('/dashboard/icon.svg', { method: 'HEAD', cache: 'no-store', signal })
    return true
  } catch {
    return false
  }
}

const hurries = new Set<() => void>()

const waitOrHurry = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      hurries.delete(end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    hurries.add(end)
  })

/** The next try is now. */
export function tryConnectionNow(): void {
  const ends = [...hurries]
  hurries.clear()
  for (const end of ends) end()
}

export const connection = createConnection({ ping: isAnswered, wait: waitOrHurry })

/** Hears what the browser knows of its network. */
export function watchNetwork(): () => void {
  const heard = { offline: connection.doubt, online: tryConnectionNow }
  for (const [name, listener] of Object.entries(heard)) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(heard)) window.removeEventListener(name, listener)
  }
}
