export const feedEvents = [
  'asset.created',
  'asset.updated',
  'asset.deleted',
  'asset.expired',
  'zone.created',
  'zone.updated',
  'zone.deleted',
  'rules.updated',
  'domain.updated',
  'preview.updated',
  'purge.completed',
  'content.erased',
  'quota.warning',
  'quota.reached',
  'deploy.completed',
] as const
export type FeedEvent = (typeof feedEvents)[number]

/** One announced change. `data` is what webhooks and edges are told, ready for JSON. */
export interface FeedEntry {
  readonly seq: number
  readonly at: Date
  readonly event: FeedEvent
  readonly zone: string | undefined
  readonly path: string | undefined
  readonly commitId: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export type NewFeedEntry = Omit<FeedEntry, 'seq'>
