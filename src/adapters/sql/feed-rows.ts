import type { Kysely } from 'kysely'

import type { FeedEntry } from '../../ports/publication-store.ts'
import { BatchStatement } from './batch-statement.ts'
import type { FeedTable, Schema } from './schema.ts'

export const createFeedWriter = (queries: Kysely<Schema>): BatchStatement<FeedEntry> =>
  new BatchStatement<FeedEntry>({
    compile: (count) =>
      queries
        .insertInto('feed')
        .values(Array.from({ length: count }, () => rowOf(placeholder)))
        .compile(),
    parametersOf: (entry) => Object.values(rowOf(entry)),
  })

/** Its values are the parameters of a row, so the members are always in this order. */
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

const placeholder: FeedEntry = {
  seq: 0,
  at: new Date(0),
  event: 'zone.updated',
  zone: undefined,
  path: undefined,
  commitId: undefined,
  data: {},
}
