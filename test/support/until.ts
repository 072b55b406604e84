import { setTimeout as wait } from 'node:timers/promises'

/** Asks again and again until it is so; fails after half a minute. */
export async function until(
  isSo: () => Promise<boolean> | boolean,
  what = 'it did not come to pass in time',
): Promise<void> {
  const deadline = performance.now() + 30_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(what)
    await wait(10)
  }
}
