import type { Input } from '../../../src/client/types.ts'

export type Scope = Input<'createToken'>['body']['scopes'][number]

/** What a token may be allowed, in the words of whoever allows it. */
export const scopeTexts: readonly { readonly scope: Scope; readonly text: string }[] = [
  { scope: 'storage:read', text: 'Read stored files' },
  { scope: 'storage:write', text: 'Store and delete files' },
  { scope: 'previews:write', text: 'Change previews alone' },
  { scope: 'metadata:write', text: 'Describe assets' },
  { scope: 'assets:read', text: 'List and search assets' },
  { scope: 'insights:read', text: 'Read insights' },
  { scope: 'analytics:read', text: 'Read analytics' },
  { scope: 'zones:read', text: 'See zones' },
  { scope: 'zones:write', text: 'Create and change zones' },
  { scope: 'domains:write', text: 'Manage domains' },
  { scope: 'rules:read', text: 'Read edge rules' },
  { scope: 'rules:write', text: 'Change edge rules' },
  { scope: 'purge:write', text: 'Purge' },
  { scope: 'webhooks:read', text: 'See webhooks' },
  { scope: 'webhooks:write', text: 'Manage webhooks' },
  { scope: 'tokens:read', text: 'See tokens' },
  { scope: 'tokens:write', text: 'Create and revoke tokens' },
  { scope: 'logs:read', text: 'Read logs' },
  { scope: 'edges:read', text: 'See edges' },
  { scope: 'edges:sync', text: 'Be an edge' },
]
