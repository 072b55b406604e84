import { takeTurns } from './turns.ts'

/**
 * `Promise.all` over `items`, but with at most `limit` of them under way. Answers are in their order. Where all of
 * them are at hand, others have their turn meanwhile.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  const turns = takeTurns(Number.POSITIVE_INFINITY)
  const worker = async () => {
    for (const [index, item] of rest) {
      results[index] = await work(item)
      await turns.after(1)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
