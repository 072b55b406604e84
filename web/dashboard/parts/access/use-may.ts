import { useOperation } from '../../api/queries.ts'
import { type May, mayOf, type Need, type OwnReach } from './may.ts'

export function useOwnReach(): OwnReach {
  const { data } = useOperation('getSelf', {}, { staleMs: 60_000 })
  if (data === undefined || data.Person === null) return undefined
  return new Map(data.Scopes.map(({ scope, zones }) => [scope, zones]))
}

/**
 * Whether whoever looks may do what takes one of these scopes. The service decides again; this is so that nobody
 * fills in a form to be refused. Until it is known, everything is allowed.
 */
export function useMay(scope: Need['scope'], zone?: Need['zone']): May {
  return mayOf(useOwnReach(), { scope, zone })
}
