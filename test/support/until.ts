import { setTimeout as wait } from 'node:timers/promises'

/**
 * Asks again and again until it is so, less often the longer it takes: to ask is work that what is waited for has to
 * wait for. Fails after half a minute.
 */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  what = 'it did not come to pass in time',
): Promise<void> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    const waitedMs = performance.now() - startedAt
    if (waitedMs > 30_000) throw new Error(what)
    await wait(Math.min(100, 10 + waitedMs / 20))
  }
}
