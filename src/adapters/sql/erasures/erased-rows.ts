import type { Kysely, Transaction } from 'kysely'

import type { Schema } from '../schema.ts'

export async function readErased(queries: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await queries.selectFrom('erased').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** There are few, so each is a statement of its own. */
export async function writeErased(
  transaction: Transaction<Schema>,
  names: readonly string[],
): Promise<void> {
  for (const name of names)
    await transaction
      .insertInto('erased')
      .values({ name })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
}
