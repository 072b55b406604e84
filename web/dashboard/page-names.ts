/** The pages of the dashboard: the last segment of their addresses. The service answers no others. */
export const pageNames = [
  'overview',
  'assets',
  'upload',
  'transform',
  'duplicates',
  'history',
  'compare',
  'previews',
  'zones',
  'zone',
  'domains',
  'rules',
  'purge',
  'erasures',
  'insights',
  'logs',
  'audit',
  'health',
  'notifications',
  'backups',
  'people',
  'tokens',
  'webhooks',
  'sessions',
] as const

export type PageName = (typeof pageNames)[number]
