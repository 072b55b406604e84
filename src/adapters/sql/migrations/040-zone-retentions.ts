import type { Kysely } from 'kysely'

/** For how many days a zone keeps what it had, and since when nothing of that is missing: null is for ever, and nothing. */
export async function addZoneRetentions({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('zones').addColumn('history_days', 'integer').execute()
  await schema.alterTable('zones').addColumn('history_since', 'bigint').execute()
}
