import { MetadataUnavailableError } from '../../ports/content/publication-store.ts'
import { ServiceError } from '../errors.ts'

/** What the database cannot take right now, e.g. for want of space, is no fault of ours: 503, not 500. */
export async function orUnavailable<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (cause) {
    if (cause instanceof MetadataUnavailableError)
      throw new ServiceError('Unavailable', 'This cannot be recorded right now', { cause })
    throw cause
  }
}

/** For what may as well be recorded another time. */
export async function ifAvailable(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!(error instanceof MetadataUnavailableError)) throw error
  }
}
