import type { Kysely } from 'kysely'

/** Of each level so many are kept, so each is counted by itself. */
export async function indexLogLevels({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('log_records_by_level')
    .on('log_records')
    .columns(['level', 'seq'])
    .execute()
}
