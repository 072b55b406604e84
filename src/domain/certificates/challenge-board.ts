/** Answers to the challenges of an authority, shown while it may ask for them. */
export interface ChallengeBoard {
  publish(token: string, keyAuthorization: string): Disposable
  /** `undefined` for a path that is none of a challenge, `null` where nobody waits for that one. */
  keyAuthorizationOf(path: string): string | null | undefined
}

/** RFC 8555 §8.3. */
const challengePath = '/.well-known/acme-challenge/'

export function createChallengeBoard(): ChallengeBoard {
  const keyAuthorizationByToken = new Map<string, string>()
  return {
    publish(token, keyAuthorization) {
      keyAuthorizationByToken.set(token, keyAuthorization)
      return { [Symbol.dispose]: () => void keyAuthorizationByToken.delete(token) }
    },
    keyAuthorizationOf: (path) =>
      path.startsWith(challengePath)
        ? (keyAuthorizationByToken.get(path.slice(challengePath.length)) ?? null)
        : undefined,
  }
}
