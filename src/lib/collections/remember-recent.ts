/** `compute`, with the answers to the texts it was asked last remembered. For pure functions. */
export function rememberRecent<T>(
  compute: (text: string) => T,
  maxCount: number,
): (text: string) => T {
  const answers = new Map<string, T>()
  return (text) => {
    const known = answers.get(text)
    if (known !== undefined) return known
    const answer = compute(text)
    const [oldest] = answers.keys()
    if (answers.size >= maxCount && oldest !== undefined) answers.delete(oldest)
    answers.set(text, answer)
    return answer
  }
}
