/** Answers to the challenges of an authority, shown while it may ask for them. */
export interface ChallengeBoard {
  publish(token: string, answer: string): Disposable
  /** `undefined` for a path that is none of a challenge, `null` where nobody waits for that one. */
  answerTo(path: string): string | null | undefined
}

/** RFC 8555 §8.3. */
const challengePath = '/.well-known/acme-challenge/'

export function createChallengeBoard(): ChallengeBoard {
  const answerByToken = new Map<string, string>()
  return {
    publish(token, answer) {
      answerByToken.set(token, answer)
      return { [Symbol.dispose]: () => void answerByToken.delete(token) }
    },
    answerTo: (path) =>
      path.startsWith(challengePath)
        ? (answerByToken.get(path.slice(challengePath.length)) ?? null)
        : undefined,
  }
}
