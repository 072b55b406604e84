import type { Kysely } from 'kysely'

import type { AnnouncedExpiry } from '../../../ports/content/publication-store.ts'
import type { Schema } from '../schema.ts'

export async function readExpiries(queries: Kysely<Schema>): Promise<readonly AnnouncedExpiry[]> {
  const rows = await queries.selectFrom('announced_expiries').selectAll().execute()
  return rows.map(({ path, expires_at }) => ({ path, expiresAt: new Date(expires_at) }))
}

/** The last of each path is kept; without a moment there is none any more. */
export async function writeExpiries(
  transaction: Kysely<Schema>,
  expiries: readonly AnnouncedExpiry[],
): Promise<void> {
  for (const { path, expiresAt } of expiries) {
    if (expiresAt === undefined) {
      await transaction.deleteFrom('announced_expiries').where('path', '=', path).execute()
      continue
    }
    const expires_at = expiresAt.getTime()
    await transaction
      .insertInto('announced_expiries')
      .values({ path, expires_at })
      .onConflict((conflict) => conflict.column('path').doUpdateSet({ expires_at }))
      .execute()
  }
}
