import type { Kysely } from 'kysely'

/** Which tokens sign requests of S3. None of those that are there was made to. */
export async function addSigningTokens({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('tokens')
    .addColumn('signs_s3', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
