import type { Scope } from './scopes.ts'

export interface TokenTemplate {
  readonly title: string
  readonly text: string
  readonly scopes: readonly Scope[]
}

/** What most tokens are for. */
export const tokenTemplates: readonly TokenTemplate[] = [
  {
    title: 'CI upload',
    text: 'Stores files and purges what they replace',
    scopes: ['storage:read', 'storage:write', 'assets:read', 'purge:write'],
  },
  {
    title: 'Read only',
    text: 'Downloads files, searches, reads reports',
    scopes: ['storage:read', 'assets:read', 'insights:read', 'zones:read'],
  },
  { title: 'Purge', text: 'Purges, and nothing else', scopes: ['purge:write'] },
  {
    title: 'Monitoring',
    text: 'Reads insights, logs and edges',
    scopes: ['insights:read', 'analytics:read', 'logs:read', 'edges:read'],
  },
]
