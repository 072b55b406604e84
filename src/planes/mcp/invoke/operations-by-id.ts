import type { Operation } from '../../../http/operation.ts'
import { allOperations } from '../../operations.ts'

const byId: ReadonlyMap<string, Operation> = new Map(allOperations.map((each) => [each.id, each]))

/** The operation called `id` of the one table that says what there is. */
export function operationOf(id: string): Operation {
  const found = byId.get(id)
  if (found === undefined) throw new Error(`there is no operation called ${id}`)
  return found
}
