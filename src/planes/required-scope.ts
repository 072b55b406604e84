import { ServiceError } from '../domain/errors.ts'
import type { Caller } from '../http/operation.ts'

/**
 * Refuses a token that was not made for something an operation does besides what opens it. Keys and
 * sessions open all that the operation does.
 */
export function requireScope({ scopes }: Caller, scope: string, what: string): void {
  if (scopes === undefined || scopes.has(scope)) return
  throw new ServiceError('InsufficientScope', `${what} takes a token with the scope ${scope} too`)
}
