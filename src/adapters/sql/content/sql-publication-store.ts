import type { Transaction } from 'kysely'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import type {
  AnnouncedExpiry,
  Publication,
  PublicationStore,
} from '../../../ports/content/publication-store.ts'
import type { RuleFileRecord, ZoneRecord } from '../../../ports/records/zone.ts'
import { Announcements } from './announcements.ts'
import { createAssetWriter, readAssets, readAssetsAt, removeAssets } from './asset-rows.ts'
import type { Database } from '../database.ts'
import {
  createMarkerWriter,
  readMarkers,
  removeMarkers,
} from '../versions/directory-marker-rows.ts'
import { readErased, writeErased } from '../erasures/erased-rows.ts'
import { readExpiries, writeExpiries } from './expiry-rows.ts'
import { feedEntryOf } from './feed-rows.ts'
import { setFormerZonesApart } from './former-zones.ts'
import { type FoldedPublication, foldPublications } from './fold-publications.ts'
import { createVersionWriter } from '../versions/object-version-rows.ts'
import { createPastAssetWriter } from '../past/past-asset-rows.ts'
import { insertPacks } from './pack-rows.ts'
import { readRuleFiles, removeRuleFiles, writeRuleFiles } from './rule-file-rows.ts'
import type { Schema } from '../schema.ts'
import { PublishedUsageWriter } from '../usage/published-usage.ts'
import { readZones, removeZone, writeZones } from './zone-rows.ts'

/** Nobody's write waits for more. */
const forgottenAtOnce = 5_000

/** The published state and its feed, in tables. */
export class SqlPublicationStore implements PublicationStore {
  readonly #database: Database
  readonly #announcements: Announcements
  readonly #assetWriter
  readonly #pastAssetWriter
  readonly #markerWriter
  readonly #versionWriter
  readonly #usage: PublishedUsageWriter

  /** @param now - says on which day something was stored. */
  constructor(database: Database, now: () => Date = () => new Date()) {
    this.#database = database
    this.#announcements = new Announcements(database.queries)
    this.#assetWriter = createAssetWriter(database.queries)
    this.#pastAssetWriter = createPastAssetWriter(database.queries)
    this.#markerWriter = createMarkerWriter(database.queries)
    this.#versionWriter = createVersionWriter(database.queries)
    this.#usage = new PublishedUsageWriter(database.queries, now)
  }

  async position(): Promise<{ readonly commitId: string | undefined; readonly seq: number }> {
    const row = await this.#database.queries
      .selectFrom('position')
      .select(['commit_id', 'feed_seq'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    return { commitId: row.commit_id ?? undefined, seq: row.feed_seq }
  }

  async publish(publications: readonly Publication[]): Promise<readonly FeedEntry[]> {
    if (publications.length === 0) return []
    const folded = await foldPublications(publications)
    return await this.#database.transaction(async (transaction) => {
      const entries = await this.#announcements.announce(transaction, folded)
      const usage = await this.#usage.of(transaction, folded, publications)
      await this.#apply(transaction, folded)
      await this.#usage.add(transaction, usage.former)
      await setFormerZonesApart(transaction, entries)
      await this.#usage.add(transaction, usage.present)
      return entries
    })
  }

  assets(): AsyncIterable<AssetRecord> {
    return readAssets(this.#database.queries)
  }

  async assetsAt(paths: readonly string[]): Promise<readonly AssetRecord[]> {
    return await readAssetsAt(this.#database.queries, paths)
  }

  async zones(): Promise<readonly ZoneRecord[]> {
    return await readZones(this.#database.queries)
  }

  async ruleFiles(): Promise<readonly RuleFileRecord[]> {
    return await readRuleFiles(this.#database.queries)
  }

  async markers(): Promise<readonly DirectoryMarker[]> {
    return await readMarkers(this.#database.queries)
  }

  async erased(): Promise<readonly string[]> {
    return await readErased(this.#database.queries)
  }

  async feedAfter(seq: number, limit: number): Promise<readonly FeedEntry[]> {
    const rows = await this.#database.queries
      .selectFrom('feed')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(limit)
      .execute()
    return rows.map(feedEntryOf)
  }

  async forgetFeedBefore(time: Date, kept: number): Promise<number> {
    const { seq: newest } = await this.position()
    const oldest = await this.#database.queries
      .selectFrom('feed')
      .select(['seq', 'at'])
      .where('seq', '<=', newest - kept)
      .orderBy('seq')
      .limit(forgottenAtOnce)
      .execute()
    const end = oldest.findIndex(({ at }) => at >= time.getTime())
    const past = end === -1 ? oldest : oldest.slice(0, end)
    const last = past.at(-1)
    if (last === undefined) return 0
    await this.#database.transaction((transaction) =>
      transaction.deleteFrom('feed').where('seq', '<=', last.seq).execute(),
    )
    return past.length
  }

  async lastOfCommit(commitId: string): Promise<FeedEntry | undefined> {
    const row = await this.#database.queries
      .selectFrom('feed')
      .selectAll()
      .where('commit_id', '=', commitId)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && feedEntryOf(row)
  }

  async expiries(): Promise<readonly AnnouncedExpiry[]> {
    return await readExpiries(this.#database.queries)
  }

  async forgetProjections(): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.updateTable('position').set({ commit_id: null }).execute()
      await this.#usage.forgetStored(transaction)
      for (const table of [
        'assets',
        'deleted_assets',
        'asset_moves',
        'object_versions',
        'directory_markers',
        'earlier_commits',
        'zones',
        'rule_files',
      ] as const)
        await transaction.deleteFrom(table).execute()
    })
  }

  async #apply(transaction: Transaction<Schema>, folded: FoldedPublication): Promise<void> {
    for (const name of folded.removedZones) await removeZone(transaction, name)
    await writeZones(transaction, [...folded.zones.values()])
    await removeAssets(transaction, [...folded.removedAssets])
    await this.#assetWriter.execute(transaction, [...folded.assets.values()])
    await this.#pastAssetWriter.execute(transaction, folded)
    await removeMarkers(transaction, [...folded.removedMarkers])
    await this.#markerWriter.execute(transaction, [...folded.markers.values()])
    await this.#versionWriter.execute(transaction, folded.versions)
    await removeRuleFiles(transaction, [...folded.removedRuleFiles])
    await writeRuleFiles(transaction, [...folded.ruleFiles.values()])
    await writeExpiries(transaction, folded.expiries)
    await writeErased(transaction, [...folded.erased])
    for (const packs of folded.packs) await insertPacks(transaction, packs)
  }
}
