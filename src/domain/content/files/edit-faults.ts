import { ServiceError } from '../../errors.ts'

/** What is wrong with the parts of a request, all of it told at once. */
export interface Faults {
  /** Runs a check of the part that the request calls `target`, unless it is refused already. */
  noting(target: string, check: () => Promise<void>): Promise<void>
  /** Throws the first refusal; where the request has many parts, with a detail for each. */
  throwAny(): void
}

export function createFaults(partCount: number): Faults {
  const refusalByTarget = new Map<string, ServiceError>()
  return {
    async noting(target, check) {
      if (refusalByTarget.has(target)) return
      try {
        await check()
      } catch (thrown) {
        if (!(thrown instanceof ServiceError)) throw thrown
        refusalByTarget.set(target, thrown)
      }
    },
    throwAny() {
      const [first] = refusalByTarget
      if (first === undefined) return
      const [target, refusal] = first
      const { code, message, context } = refusal
      const details = partCount > 1 ? detailsOf(refusalByTarget) : []
      throw new ServiceError(code, message, { target, details, context, cause: refusal })
    },
  }
}

const detailsOf = (refusalByTarget: ReadonlyMap<string, ServiceError>) =>
  Array.from(refusalByTarget, ([target, { code, message }]) => ({ code, target, message }))
