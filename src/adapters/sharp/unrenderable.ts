import { UnrenderableImageError, type UnrenderableReason } from '../../ports/media/renderer.ts'

interface Verdict {
  readonly reason: UnrenderableReason
  readonly message: string
  readonly cause: string
}

/** What callers may read, in our words: those of the libraries name files and versions. */
const verdicts: readonly (Omit<Verdict, 'cause'> & { readonly pattern: RegExp })[] = [
  {
    pattern: /pixel limit|too large/iu,
    reason: 'too-many-pixels',
    message: 'must have fewer pixels',
  },
  { pattern: /^timeout/iu, reason: 'too-slow', message: 'must take less time to draw' },
  {
    pattern: /unsupported image format|no known loader|operation is blocked/iu,
    reason: 'unsupported-type',
    message: 'is of a kind that cannot be transformed',
  },
]

/** Says what is wrong with an image that a library has thrown on. */
export function unrenderable(error: unknown): Verdict {
  if (error instanceof UnrenderableImageError)
    return { reason: error.reason, message: error.message, cause: textOf(error.cause) }
  const text = error instanceof Error ? error.message : ''
  const found = verdicts.find(({ pattern }) => pattern.test(text))
  return {
    reason: found?.reason ?? 'damaged',
    message: found?.message ?? 'must be whole and undamaged',
    cause: textOf(error),
  }
}

const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '')
