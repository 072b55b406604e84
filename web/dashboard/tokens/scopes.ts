import type { Input } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type Scope = Input<'createToken'>['body']['scopes'][number]

/** What a token may be allowed, in the words of whoever allows it. */
export const scopeTexts: readonly { readonly scope: Scope; readonly text: string }[] = [
  { scope: 'storage:read', text: t('Read stored files') },
  { scope: 'storage:write', text: t('Store and delete files') },
  { scope: 'previews:write', text: t('Change previews alone') },
  { scope: 'metadata:write', text: t('Describe assets') },
  { scope: 'assets:read', text: t('List and search assets') },
  { scope: 'insights:read', text: t('Read insights') },
  { scope: 'analytics:read', text: t('Read analytics') },
  { scope: 'zones:read', text: t('See zones') },
  { scope: 'zones:write', text: t('Create and change zones') },
  { scope: 'domains:write', text: t('Manage domains') },
  { scope: 'rules:read', text: t('Read edge rules') },
  { scope: 'rules:write', text: t('Change edge rules') },
  { scope: 'purge:write', text: t('Purge') },
  { scope: 'webhooks:read', text: t('See webhooks') },
  { scope: 'webhooks:write', text: t('Manage webhooks') },
  { scope: 'tokens:read', text: t('See tokens') },
  { scope: 'tokens:write', text: t('Create and revoke tokens') },
  { scope: 'logs:read', text: t('Read logs') },
  { scope: 'backups:read', text: t('See backups') },
  { scope: 'backups:write', text: t('Make, verify and delete backups') },
  { scope: 'health:read', text: t('See health and notifications') },
  { scope: 'agents:live', text: t('Let agents change what is live') },
  { scope: 'edges:read', text: t('See edges') },
  { scope: 'edges:sync', text: t('Be an edge') },
]
