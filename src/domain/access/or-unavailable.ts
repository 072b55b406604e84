import { ServiceError } from '../errors.ts'
import { isUnavailable } from '../../ports/store-unavailable-error.ts'

/** What the database cannot take right now, e.g. for want of space, is no fault of ours: 503, not 500. */
export async function orUnavailable<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (cause) {
    if (isUnavailable(cause, 'metadata'))
      throw new ServiceError('Unavailable', 'This cannot be recorded right now', { cause })
    throw cause
  }
}

/** For what may as well be recorded another time. */
export async function ifAvailable(writing: Promise<void>): Promise<void> {
  try {
    await writing
  } catch (error) {
    if (!isUnavailable(error, 'metadata')) throw error
  }
}
