/** Something that was only prepared: nothing is done before somebody confirms it. */
export type PreparedAction =
  | {
      readonly action: 'purge'
      readonly urls?: readonly string[]
      readonly tags?: readonly string[]
      readonly purge_everything?: true
    }
  | {
      readonly action: 'transform'
      readonly path: string
      readonly parameters: Readonly<Record<string, string>>
    }
  | {
      readonly action: 'tag' | 'untag'
      readonly paths: readonly string[]
      readonly tags: readonly string[]
    }
  | { readonly action: 'redirect'; readonly zone: string | null; readonly line: string }

const mostActions = 5
const mostItems = 200
const longestItem = 2_000

/** Those that this dashboard knows, of what came; what has another shape is left out. */
export const actionsIn = (values: readonly unknown[]): readonly PreparedAction[] =>
  values.slice(0, mostActions).flatMap((value) => actionIn(value) ?? [])

function actionIn(value: unknown): PreparedAction | undefined {
  const given = recordIn(value)
  const { action } = given
  if (action === 'purge') return purgeIn(given)
  if (action === 'transform') return transformIn(given)
  if (action === 'redirect') return redirectIn(given)
  return action === 'tag' || action === 'untag' ? tagsIn(action, given) : undefined
}

type Given = Readonly<Record<string, unknown>>

function transformIn(given: Given): PreparedAction | undefined {
  const path = textIn(given['path'])
  return path === undefined
    ? undefined
    : { action: 'transform', path, parameters: textsIn(given['parameters']) }
}

function redirectIn(given: Given): PreparedAction | undefined {
  const line = textIn(given['line'])
  if (line === undefined || line.includes('\n')) return undefined
  return { action: 'redirect', zone: textIn(given['zone']) ?? null, line }
}

function tagsIn(action: 'tag' | 'untag', given: Given): PreparedAction | undefined {
  const paths = itemsIn(given['paths'])
  const tags = itemsIn(given['tags'])
  return paths && tags && { action, paths, tags }
}

function purgeIn(given: Given): PreparedAction | undefined {
  if (given['purge_everything'] === true) return { action: 'purge', purge_everything: true }
  const urls = itemsIn(given['urls'])
  if (urls !== undefined) return { action: 'purge', urls }
  const tags = itemsIn(given['tags'])
  return tags && { action: 'purge', tags }
}

const recordIn = (value: unknown): Given =>
  typeof value === 'object' && value !== null ? (value as Given) : {}

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= longestItem ? value : undefined

function itemsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostItems) return undefined
  const items = value.flatMap((each: unknown) => textIn(each) ?? [])
  return items.length === value.length ? items : undefined
}

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(recordIn(value)).flatMap(([name, each]) => {
      const text = textIn(each)
      return text === undefined ? [] : [[name, text] as const]
    }),
  )
