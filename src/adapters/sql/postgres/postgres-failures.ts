import { DatabaseError } from 'pg'
import { isUnavailable, StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'

/**
 * What the server says of itself rather than of a statement (PostgreSQL documentation, appendix A):
 * no connection (08), not allowed in (28), no such database (3D), rolled back to let others go on (40),
 * no room (53), locked (55), told to stop (57), a fault of its disk (58).
 */
const passingClasses = new Set(['08', '28', '3D', '40', '53', '55', '57', '58'])
/** It stands by for another; a transaction was held open too long; a table was changed by a newer program. */
const passingCodes = new Set(['25006', '25P03', '0A000'])

/** Whether the connection is of no more use: whoever asked on it has to ask on another. */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || isPassing(error)

/**
 * A failure of the server or of the way to it as the port's own error; what a statement did wrong is a
 * mistake of ours and stays as it is. None is final: what the server acknowledged, it keeps.
 */
export function translateFailure(error: unknown): unknown {
  if (isUnavailable(error, 'metadata')) return error
  if (!endsConnection(error)) return error
  return new StoreUnavailableError('PostgreSQL cannot be asked right now', {
    store: 'metadata',
    final: false,
    cause: error,
  })
}

const isPassing = ({ code = '' }: DatabaseError): boolean =>
  passingCodes.has(code) || passingClasses.has(code.slice(0, 2))
