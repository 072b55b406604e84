/**
 * What a bearer token may be for, and what each scope opens. Part of the public contract: add, never
 * rename. A write scope does not bring the read scope with it.
 */
export const scopeMeanings = {
  'storage:read': 'Download files and list directories',
  'storage:write': 'Upload and delete files',
  'previews:write': 'Upload and delete files of previews alone, and make and remove previews',
  'metadata:write': 'Describe assets: alternative text, tags, focal points, own fields',
  'assets:read': 'Search the catalogue and read metadata',
  'insights:read': 'Read traffic reports',
  'analytics:read': 'Read the analytics report',
  'zones:read': 'List zones, their files and their domains',
  'zones:write': 'Create, change and delete zones',
  'domains:write': 'Add and remove custom domains',
  'rules:read': 'Read the edge rules',
  'rules:write': 'Change the edge rules',
  'purge:write': 'Purge edge caches',
  'webhooks:read': 'List webhooks and their deliveries',
  'webhooks:write': 'Register, change and remove webhooks',
  'tokens:read': 'List tokens',
  'tokens:write': 'Create tokens of no greater reach, and revoke tokens',
  'logs:read': 'Read the audit log and the service log',
  'backups:read': 'See what was backed up',
  'backups:write': 'Back up now, verify and delete backups',
  'health:read': 'See how each part of the service is, and notifications',
  'agents:live': 'Let an agent change what is live; without it agents write to previews',
  'edges:read': 'See the edges, and which of them serve a commit',
  'edges:sync': 'Be an edge: follow the feed, read every blob, report what was delivered',
} as const

export type Scope = keyof typeof scopeMeanings

export const scopes = Object.keys(scopeMeanings) as [Scope, ...Scope[]]
