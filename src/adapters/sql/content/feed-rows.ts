import type { Kysely } from 'kysely'

import type { FeedEntry } from '../../../ports/records/feed.ts'
import { RowWriter } from '../row-writer.ts'
import type { FeedTable, Schema } from '../schema.ts'

export const createFeedWriter = (queries: Kysely<Schema>): RowWriter<FeedEntry> =>
  new RowWriter<FeedEntry>(queries, { table: 'feed', rowOf })

const rowOf = (entry: FeedEntry): FeedTable => ({
  seq: entry.seq,
  at: entry.at.getTime(),
  event: entry.event,
  zone: entry.zone ?? null,
  path: entry.path ?? null,
  commit_id: entry.commitId ?? null,
  data: JSON.stringify(entry.data),
})

export const feedEntryOf = (row: FeedTable): FeedEntry => ({
  seq: row.seq,
  at: new Date(row.at),
  event: row.event,
  zone: row.zone ?? undefined,
  path: row.path ?? undefined,
  commitId: row.commit_id ?? undefined,
  data: JSON.parse(row.data) as FeedEntry['data'],
})
