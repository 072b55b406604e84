export type Input = Uint8Array<ArrayBuffer>

/** A parser of ours that is sent what others wrote. */
export interface FuzzTarget {
  readonly name: string
  /** Good ones that are made, or lie elsewhere; what is kept for the target comes on top. */
  readonly seeds?: () => Promise<readonly Input[]>
  /** What the format is made of, put into inputs here and there. */
  readonly words: readonly string[]
  /**
   * What becomes of it, in few words: two inputs that the parser goes different ways with have different
   * ones. Rejects where the parser fails by anything but its own refusal, or a promise of it is broken.
   */
  look(input: Input): Promise<string>
}

/** What `read` says, or the refusal, without its numbers and what it quotes; everything else is thrown on. */
export async function outcomeOf(
  read: () => Promise<string> | string,
  isRefusal: (thrown: unknown) => thrown is Error,
): Promise<string> {
  try {
    return await read()
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown
    return `refused: ${thrown.message.replaceAll(/"[^"]*"|\d+/gu, '#').slice(0, 80)}`
  }
}

export const isRefused = (outcome: string): boolean => outcome.startsWith('refused')

/** The promise of a parser that an input shows to be broken. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
}

export function promise(isKept: boolean, what: string): void {
  if (!isKept) throw new BrokenPromise(what)
}

/**
 * The same outcome, wherever the connection cuts what it brings. Where several things are wrong, any of them may
 * be what is refused.
 */
export async function inPieces(
  input: Input,
  read: (pieces: AsyncIterable<Input>) => Promise<string>,
): Promise<string> {
  const whole = await read(piecesOf(input, []))
  const { length } = input
  for (const cuts of [[1, length - 1], [length >> 1], [length - 2, length - 1]]) {
    const cut = await read(piecesOf(input, cuts))
    const isSame = cut === whole || (isRefused(cut) && isRefused(whole))
    promise(isSame, `in one piece "${whole}", cut at ${cuts.join(' and ')} "${cut}"`)
  }
  return whole
}

async function* piecesOf(input: Input, cuts: readonly number[]): AsyncGenerator<Input> {
  let from = 0
  for (const cut of [...cuts, input.length]) {
    if (cut > from) yield input.slice(from, cut)
    from = Math.max(from, cut)
  }
}

export const textOf = (input: Input): string => new TextDecoder().decode(input)
export const inputOf = (text: string): Input => new TextEncoder().encode(text)
