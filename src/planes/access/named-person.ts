import type { People } from '../../domain/access/people/people.ts'

/** Whose something is, as it is shown; null of nobody in particular. */
export function namedPerson(
  id: string | undefined,
  people: Pick<People, 'known'>,
): { readonly id: string; readonly name: string } | null {
  const person = id === undefined ? undefined : people.known(id)
  return person === undefined ? null : { id: person.id, name: person.name }
}
