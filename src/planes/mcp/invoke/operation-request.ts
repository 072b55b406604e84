import type { Operation } from '../../../http/operation.ts'
import { schemaOf } from '../../../http/openapi/json-schema.ts'
import type { Agent } from '../agent.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Members of path, query and JSON body by their names; bytes and headers beside them. */
export interface OperationInput {
  readonly members: Readonly<Record<string, unknown>>
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** The request that an operation takes, or why there is none. */
export function operationRequest(
  operation: Operation,
  { members, bytes, headers }: OperationInput,
  { agent, signal }: { readonly agent: Agent; readonly signal: AbortSignal },
): Request | Refusal {
  const { inPath, inQuery } = placesOf(operation)
  const path = filledPath(operation.path, members)
  if (typeof path !== 'string') return path
  const url = new URL(path, agent.origin)
  for (const name of inQuery)
    if (members[name] !== undefined && members[name] !== null)
      url.searchParams.set(name, queryText(members[name]))
  const body =
    operation.body?.kind === 'json' ? JSON.stringify(without(members, inPath, inQuery)) : bytes
  return new Request(url, {
    method: operation.method.toUpperCase(),
    signal,
    headers: {
      ...agent.headers,
      ...(operation.body?.kind === 'json' && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: body as BodyInit }),
  })
}

interface Places {
  readonly inPath: ReadonlySet<string>
  readonly inQuery: ReadonlySet<string>
}

const known = new Map<string, Places>()

/** Where the members of an operation's input stand in its request. */
function placesOf({ id, path, query }: Operation): Places {
  const kept = known.get(id)
  if (kept !== undefined) return kept
  const places = {
    inPath: new Set([...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)),
    inQuery: new Set(
      query === undefined ? [] : Object.keys(schemaOf(query, 'input').properties ?? {}),
    ),
  }
  known.set(id, places)
  return places
}

/** `{path}` takes the rest of a path, slashes included; a segment that leads elsewhere is refused. */
function filledPath(template: string, members: OperationInput['members']): string | Refusal {
  let bad: string | undefined
  const path = template.replaceAll(/\{(\w+)\}/gu, (_, name: string) => {
    const text = textOf(members[name])
    const segments = name === 'path' ? text.split('/') : [text]
    if (segments.some((each) => each === '.' || each === '..') || text === '') bad ??= name
    return segments.map((each) => encodeURIComponent(each.toWellFormed())).join('/')
  })
  if (bad === undefined) return path
  const reason = `${bad} must be there, and have no segments that are "." or ".."`
  return { ...refusal(400, 'InvalidParameter', reason), target: bad }
}

/** What is no text is spelt as JSON has it; the interface says whether that will do. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

const queryText = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(',') : textOf(value)

const without = (
  members: OperationInput['members'],
  ...places: readonly ReadonlySet<string>[]
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(members).filter(([name]) => !places.some((place) => place.has(name))),
  )
