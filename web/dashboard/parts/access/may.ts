import type { Input } from '../../../../src/client/types.ts'
import { t } from '../../language/text.ts'

/** What tokens and people may be allowed. */
export type Scope = Input<'createToken'>['body']['scopes'][number] | 'people:read' | 'people:write'

/** What something takes: one of the scopes, in a zone; in all zones where it is `null`, in any where it is left out. */
export interface Need {
  readonly scope: Scope | readonly Scope[]
  readonly zone?: string | null | undefined
}

export interface May {
  readonly isAllowed: boolean
  /** For whoever may not: the role that would do. */
  readonly whyNot: string | undefined
}

const allowed: May = { isAllowed: true, whyNot: undefined }

/** Where the roles of whoever looks open each scope, `null` for all zones; `undefined` of an operator, who has all. */
export type OwnReach = ReadonlyMap<string, readonly string[] | null> | undefined

export function mayOf(reach: OwnReach, { scope, zone }: Need): May {
  const scopes: readonly Scope[] = typeof scope === 'string' ? [scope] : scope
  if (reach === undefined || scopes.some((each) => opens(reach.get(each), zone))) return allowed
  return { isAllowed: false, whyNot: reasonOf(leastRole(scopes), zone) }
}

function opens(zones: readonly string[] | null | undefined, zone: Need['zone']): boolean {
  if (zones === undefined) return false
  return zones === null || zone === undefined || (zone !== null && zones.includes(zone))
}

type Role = 'viewer' | 'editor' | 'publisher' | 'admin'

/** From the least to the most, with what each adds; an admin has the rest. */
const addedBy: readonly (readonly [Role, readonly Scope[]])[] = [
  [
    'viewer',
    [
      'storage:read',
      'assets:read',
      'insights:read',
      'analytics:read',
      'zones:read',
      'rules:read',
      'edges:read',
    ],
  ],
  ['editor', ['previews:write', 'metadata:write']],
  ['publisher', ['storage:write', 'purge:write', 'logs:read', 'health:read']],
]

/** The least of the roles that has one of the scopes. */
export const leastRole = (scopes: readonly Scope[]): Role =>
  addedBy.find(([, added]) => scopes.some((scope) => added.includes(scope)))?.[0] ?? 'admin'

function reasonOf(role: Role, zone: Need['zone']): string {
  const name = roleNames()[role]
  if (zone === undefined) return t('Your roles do not open this: {role} does.', { role: name })
  if (zone === null)
    return t('Your roles do not open this: {role} of all zones does.', { role: name })
  return t('Your roles do not open this: {role} of {zone} does.', { role: name, zone })
}

const roleNames = (): Readonly<Record<Role, string>> => ({
  viewer: t('viewer'),
  editor: t('editor'),
  publisher: t('publisher'),
  admin: t('admin'),
})
