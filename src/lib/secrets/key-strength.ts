import type { Secret } from './secret.ts'

/** Fewer are tried out in a day. */
const minLength = 8
/** Fewer are warned of; those that are generated have more than twice as many. */
const goodLength = 16

export interface KeyStrength {
  /** One sentence for each that is too short to be any protection. */
  readonly faults: readonly string[]
  /** The names of those that are short. */
  readonly short: readonly string[]
}

/** What is to be said of keys that operators chose. People remember passwords, and guesses at those are few. */
export function keyStrength(
  chosen: ReadonlyMap<string, Secret>,
  passwordName: string,
): KeyStrength {
  const lengths = [...chosen].map(([name, key]) => [name, key.reveal().length] as const)
  const isShort = ([name, length]: readonly [string, number]): boolean =>
    length < (name === passwordName ? minLength : goodLength)
  return {
    faults: lengths
      .filter(([, length]) => length < minLength)
      .map(
        ([name]) =>
          `${name} must have at least ${minLength} characters; leave it out, and one is made`,
      ),
    short: lengths.filter(isShort).map(([name]) => name),
  }
}
