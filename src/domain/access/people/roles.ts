import type { Scope } from '../tokens/scopes.ts'

/** Scopes that only people have: no token is given them. */
export type PersonScope = Scope | 'people:read' | 'people:write'

const viewer = [
  'storage:read',
  'assets:read',
  'insights:read',
  'analytics:read',
  'zones:read',
  'rules:read',
  'edges:read',
] as const satisfies readonly PersonScope[]

const editor = [
  ...viewer,
  'previews:write',
  'metadata:write',
] as const satisfies readonly PersonScope[]

const publisher = [
  ...editor,
  'storage:write',
  'purge:write',
  'logs:read',
  'health:read',
] as const satisfies readonly PersonScope[]

const admin = [
  ...publisher,
  'zones:write',
  'domains:write',
  'rules:write',
  'webhooks:read',
  'webhooks:write',
  'tokens:read',
  'tokens:write',
  'backups:read',
  'backups:write',
  'people:read',
  'people:write',
] as const satisfies readonly PersonScope[]

/** What each role may do where it is given. Part of the public contract: add, never rename. */
export const roleScopes = { viewer, editor, publisher, admin } as const satisfies Readonly<
  Record<string, readonly PersonScope[]>
>

export type Role = keyof typeof roleScopes

/** From the least to the most. */
export const roles = Object.keys(roleScopes) as [Role, ...Role[]]

export const roleMeanings: Readonly<Record<Role, string>> = {
  viewer: 'Sees files, reports, zones and rules',
  editor: 'Also changes previews, and describes assets',
  publisher: 'Also changes what is live, promotes previews, purges, reads the logs',
  admin: 'Also zones, domains, rules, webhooks, tokens, people and backups',
}

/** What a role of that name opens; nothing where there is none. */
export const scopesOfRole = (role: string): readonly PersonScope[] =>
  Object.hasOwn(roleScopes, role) ? roleScopes[role as Role] : []
