import { SedgeError } from '../../../src/client/errors.ts'
import { plural, t } from '../language/text.ts'

/** What stopped an answer; that somebody asked too often, in words, with when it goes on. */
export function limitError(error: unknown): unknown {
  if (!(error instanceof SedgeError) || error.status !== 429) return error
  const seconds = error.retryAfterSeconds ?? 60
  return new Error(
    seconds > 3_600
      ? t('As much was asked as may be. Ask again later.')
      : plural(Math.max(1, Math.ceil(seconds / 60)), {
          one: 'That was asked too often. Ask again in {count} minute.',
          other: 'That was asked too often. Ask again in {count} minutes.',
        }),
  )
}
