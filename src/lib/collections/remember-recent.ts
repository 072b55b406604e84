/**
 * `compute`, with the results for what it was asked last remembered. For pure functions. What is known is
 * only looked up, not moved to the front as an `LruCache` would: this is asked with every request.
 */
export function rememberRecent<K, T>(compute: (asked: K) => T, maxCount: number): (asked: K) => T {
  const answers = new Map<K, T>()
  return (asked) => {
    const known = answers.get(asked)
    if (known !== undefined) return known
    const answer = compute(asked)
    const [oldest] = answers.keys()
    if (answers.size >= maxCount && oldest !== undefined) answers.delete(oldest)
    answers.set(asked, answer)
    return answer
  }
}
