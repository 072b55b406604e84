import { t } from '../language/text.ts'
import type { Scope } from './scopes.ts'

export interface TokenTemplate {
  readonly title: string
  readonly text: string
  readonly scopes: readonly Scope[]
}

/** What most tokens are for. */
export const tokenTemplates: readonly TokenTemplate[] = [
  {
    title: t('CI upload'),
    text: t('Stores files and purges what they replace'),
    scopes: ['storage:read', 'storage:write', 'assets:read', 'purge:write'],
  },
  {
    title: t('Read only'),
    text: t('Downloads files, searches, reads reports'),
    scopes: ['storage:read', 'assets:read', 'insights:read', 'zones:read'],
  },
  { title: t('Purge'), text: t('Purges, and nothing else'), scopes: ['purge:write'] },
  {
    title: t('Monitoring'),
    text: t('Reads insights, logs, health and edges'),
    scopes: ['insights:read', 'analytics:read', 'logs:read', 'health:read', 'edges:read'],
  },
]
