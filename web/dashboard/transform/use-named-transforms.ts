import { useOperation } from '../api/queries.ts'
import { type NamedTransform, readTransforms } from './named-transforms.ts'

/** All names that mean something in a zone: its own, and of those of all zones what it does not say otherwise. */
export function useNamedTransforms(zone: string): readonly NamedTransform[] {
  const own = useOperation('getRules', { zone }).data?.Transforms ?? ''
  const shared = useOperation('getRules', {}).data?.Transforms ?? ''
  const byName = new Map<string, NamedTransform>()
  for (const [name, parameters] of readTransforms(shared))
    byName.set(name, { name, parameters, isOwn: false })
  for (const [name, parameters] of readTransforms(own))
    byName.set(name, { name, parameters, isOwn: true })
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
