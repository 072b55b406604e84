import { useOperation } from '../api/queries.ts'

/** The scopes that the roles of whoever looks open somewhere; `undefined` of an operator, who has all. */
export function useOwnScopes(): ReadonlySet<string> | undefined {
  const { data } = useOperation('getSelf', {}, { staleMs: 60_000 })
  if (data === undefined || data.Person === null) return undefined
  return new Set(data.Scopes.map(({ scope }) => scope))
}
