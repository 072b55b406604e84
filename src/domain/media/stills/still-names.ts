import type { StillPlace } from '../../../ports/media/still-maker.ts'

/**
 * Names pixels: the SHA-256 of the file that they are of, and behind it the place in the file where
 * that is not the usual one, as in `<sha256>-p2`. Images have the bare SHA-256.
 */
export function stillName(
  sha256: string,
  { page = 1, seconds, preview, isSprite = false, isThumbnail = false }: StillPlace,
): string {
  const parts = [
    page === 1 ? '' : `-p${page}`,
    seconds === undefined ? '' : `-t${seconds}`,
    preview === undefined ? '' : `-v${preview}`,
    isSprite ? '-s1' : '',
    isThumbnail ? '-e1' : '',
  ]
  return `${sha256}${parts.join('')}`
}

const sha256Length = 64

/** What {@link stillName} was told. */
export function readStillName(name: string): { readonly sha256: string; readonly at: StillPlace } {
  if (name[sha256Length] !== '-') return { sha256: name, at: {} }
  const sha256 = name.slice(0, sha256Length)
  const parts = name.slice(sha256Length + 1).split('-')
  const numberOf = (letter: string): number | undefined => {
    const part = parts.find((each) => each.startsWith(letter))
    return part === undefined ? undefined : Number(part.slice(1))
  }
  return {
    sha256,
    at: {
      page: numberOf('p'),
      seconds: numberOf('t'),
      preview: numberOf('v'),
      ...(numberOf('s') === 1 && { isSprite: true }),
      ...(numberOf('e') === 1 && { isThumbnail: true }),
    },
  }
}

/** The SHA-256 of the file. */
export const fileOfName = (name: string): string => readStillName(name).sha256
