import type { Kysely, Transaction } from 'kysely'

import type {
  HostChange,
  ReplicaContents,
  ReplicaStep,
  ReplicaStore,
} from '../../../ports/edges/replica-store.ts'
import { createAssetWriter, readAssets, removeAssets } from '../content/asset-rows.ts'
import type { Database } from '../database.ts'
import { readErased, writeErased } from '../erasures/erased-rows.ts'
import { readRuleFiles, removeRuleFiles, writeRuleFiles } from '../content/rule-file-rows.ts'
import { readPreviews, removePreview, writePreview } from '../previews/preview-rows.ts'
import type { Schema } from '../schema.ts'
import { readZones, removeZone, writeZones } from '../content/zone-rows.ts'

/** What an edge knows, in the tables that the origin keeps the same in. */
export class SqlReplicaStore implements ReplicaStore {
  readonly #database: Database
  readonly #assetWriter

  constructor(database: Database) {
    this.#database = database
    this.#assetWriter = createAssetWriter(database.queries)
  }

  async load(): Promise<ReplicaContents | undefined> {
    const { queries } = this.#database
    const row = await queries.selectFrom('replica_position').selectAll().executeTakeFirst()
    if (row === undefined) return undefined
    return {
      position: { seq: row.seq, atMs: row.at },
      zones: await readZones(queries),
      ruleFiles: await readRuleFiles(queries),
      hosts: await readHosts(queries),
      previews: await readPreviews(queries),
      erased: await readErased(queries),
      assets: readAssets(queries),
    }
  }

  async apply(steps: readonly ReplicaStep[]): Promise<void> {
    const last = steps.at(-1)
    if (last === undefined) return
    const position = { id: 1, seq: last.to.seq, at: last.to.atMs }
    await this.#database.transaction(async (transaction) => {
      for (const step of steps) await this.#applyOne(transaction, step)
      await transaction
        .insertInto('replica_position')
        .values(position)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(position))
        .execute()
    })
  }

  async #applyOne(
    transaction: Transaction<Schema>,
    { publication, hosts, previews }: ReplicaStep,
  ): Promise<void> {
    const { removedZones, zones, removedAssets, assets, ruleFiles, removedRuleFiles } = publication
    await writeErased(transaction, publication.erased)
    for (const name of removedZones) {
      await removeZone(transaction, name)
      await transaction.deleteFrom('replica_hosts').where('zone', '=', name).execute()
    }
    await writeZones(transaction, zones)
    await removeAssets(transaction, removedAssets)
    await this.#assetWriter.execute(transaction, assets)
    await writeRuleFiles(transaction, ruleFiles)
    await removeRuleFiles(transaction, removedRuleFiles)
    for (const change of hosts) await applyHost(transaction, change)
    for (const { preview, ...key } of previews)
      if (preview === undefined) await removePreview(transaction, key)
      else await writePreview(transaction, preview)
  }
}

async function readHosts(queries: Kysely<Schema>): Promise<ReplicaContents['hosts']> {
  const rows = await queries.selectFrom('replica_hosts').selectAll().orderBy('hostname').execute()
  return rows.map(({ hostname, zone, redirects_to_https }) => ({
    hostname,
    zone,
    redirectsToHttps: redirects_to_https === 1,
  }))
}

async function applyHost(transaction: Transaction<Schema>, host: HostChange): Promise<void> {
  const { hostname } = host
  if (host.zone === undefined) {
    await transaction.deleteFrom('replica_hosts').where('hostname', '=', hostname).execute()
    return
  }
  const { zone, redirectsToHttps } = host
  const row = { hostname, zone, redirects_to_https: redirectsToHttps ? 1 : 0 }
  await transaction
    .insertInto('replica_hosts')
    .values(row)
    .onConflict((conflict) => conflict.column('hostname').doUpdateSet(row))
    .execute()
}
