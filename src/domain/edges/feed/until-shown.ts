import type { Replica } from './replica.ts'

/** Answers once the replica shows a number of the feed, or after the time it may take. */
export async function untilShown(
  replica: Pick<Replica, 'position' | 'feed'>,
  seq: number,
  patienceMs: number,
): Promise<void> {
  const isShown = () => (replica.position?.seq ?? 0) >= seq
  if (isShown()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  using _listening = replica.feed.subscribe(() => void (isShown() && resolve()))
  const timer = setTimeout(resolve, patienceMs)
  await promise
  clearTimeout(timer)
}
