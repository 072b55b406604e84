import type { Kysely, Transaction } from 'kysely'

import type { RuleFileName, RuleFileRecord } from '../../../ports/records/zone.ts'
import type { Schema } from '../schema.ts'

export async function readRuleFiles(queries: Kysely<Schema>): Promise<readonly RuleFileRecord[]> {
  const rows = await queries.selectFrom('rule_files').selectAll().orderBy('name').execute()
  return rows.map(({ name, content, changed_at }) => ({
    name,
    content,
    changedAt: new Date(changed_at),
  }))
}

export async function writeRuleFiles(
  transaction: Transaction<Schema>,
  files: readonly RuleFileRecord[],
): Promise<void> {
  for (const { name, content, changedAt } of files)
    await transaction
      .insertInto('rule_files')
      .values({ name, content, changed_at: changedAt.getTime() })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((row) => ({
          content: row.ref('excluded.content'),
          changed_at: row.ref('excluded.changed_at'),
        })),
      )
      .execute()
}

export async function removeRuleFiles(
  transaction: Transaction<Schema>,
  names: readonly RuleFileName[],
): Promise<void> {
  for (const name of names)
    await transaction.deleteFrom('rule_files').where('name', '=', name).execute()
}
