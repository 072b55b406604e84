import { sql, type Transaction } from 'kysely'

import type {
  EarlierCommits,
  EarlierCommitRange,
  EarlierVersion,
  EarlierVersions,
  ObjectVersionQuery,
  ObjectVersions,
  ReleasedBlob,
} from '../../../ports/content/object-versions.ts'
import type { ObjectVersion } from '../../../ports/records/object-version.ts'
import type { Database } from '../database.ts'
import { paddedLists } from '../row-lists.ts'
import type { Schema } from '../schema.ts'
import { createRankedVersionWriter, objectVersionOf } from './object-version-rows.ts'

/** After every version of its path. */
const lastRank = Number.MAX_SAFE_INTEGER

/** Versions, in a table that the publications write. */
export class SqlObjectVersions implements ObjectVersions {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async list({ from, before, after, limit }: ObjectVersionQuery) {
    const passed = after && {
      path: after.path,
      rank: (await this.#rankOf(after.path, after.commitId)) ?? lastRank,
    }
    const rows = await this.#versions()
      .selectAll()
      .where('path', '>=', from)
      .$if(before !== undefined, (all) => all.where('path', '<', before ?? ''))
      .$if(passed !== undefined, (all) =>
        all.where(sql<boolean>`(path, age_rank) > (${passed?.path}, ${passed?.rank})`),
      )
      .orderBy('path')
      .orderBy('age_rank')
      .limit(limit)
      .execute()
    return rows.map(objectVersionOf)
  }

  async newest(path: string): Promise<ObjectVersion | undefined> {
    const row = await this.#of(path).limit(1).executeTakeFirst()
    return row && objectVersionOf(row)
  }

  async find(path: string, commitId: string): Promise<ObjectVersion | undefined> {
    const row = await this.#of(path).where('commit_id', '=', commitId).limit(1).executeTakeFirst()
    return row && objectVersionOf(row)
  }

  async withBytes(sha256s: readonly string[], limit: number): Promise<readonly ObjectVersion[]> {
    const found: ObjectVersion[] = []
    for (const list of paddedLists(sha256s)) {
      const rows = await this.#versions()
        .selectAll()
        .where('sha256', 'in', [...list])
        .limit(limit - found.length)
        .execute()
      found.push(...rows.map(objectVersionOf))
    }
    return found
  }

  async letGo(sha256s: readonly string[]): Promise<void> {
    for (const list of paddedLists(sha256s))
      await this.#database.transaction(
        async (transaction) =>
          void (await transaction
            .deleteFrom('object_versions')
            .where('sha256', 'in', [...list])
            .execute()),
      )
  }

  async release(path: string, commitId: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const rows = await transaction
        .deleteFrom('object_versions')
        .where('path', '=', path)
        .where('commit_id', '=', commitId)
        .returning(['sha256', 'size_bytes'])
        .execute()
      const zone = path.slice(0, path.indexOf('/'))
      for (const { sha256, size_bytes } of rows)
        if (sha256 !== null)
          await transaction
            .insertInto('released_blobs')
            .values({ sha256, size_bytes, zone })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
    })
  }

  async released(limit: number): Promise<readonly ReleasedBlob[]> {
    const rows = await this.#database.queries
      .selectFrom('released_blobs')
      .selectAll()
      .orderBy('sha256')
      .limit(limit)
      .execute()
    return rows.map(({ size_bytes, ...rest }) => ({ ...rest, sizeBytes: size_bytes }))
  }

  async settleReleased(sha256s: readonly string[]): Promise<void> {
    for (const list of paddedLists(sha256s))
      await this.#database.transaction(
        async (transaction) =>
          void (await transaction
            .deleteFrom('released_blobs')
            .where('sha256', 'in', [...list])
            .execute()),
      )
  }

  async before(path: string, commitId: string): Promise<ObjectVersion | undefined> {
    const rank = await this.#rankOf(path, commitId)
    if (rank === undefined) return undefined
    const row = await this.#of(path).where('age_rank', '>', rank).limit(1).executeTakeFirst()
    return row && objectVersionOf(row)
  }

  async #rankOf(path: string, commitId: string | undefined): Promise<number | undefined> {
    if (commitId === undefined) return undefined
    const row = await this.#versions()
      .select('age_rank')
      .where('path', '=', path)
      .where('commit_id', '=', commitId)
      .orderBy('age_rank')
      .limit(1)
      .executeTakeFirst()
    return row?.age_rank
  }

  #of(path: string) {
    return this.#versions().selectAll().where('path', '=', path).orderBy('age_rank')
  }

  #versions() {
    return this.#database.queries.selectFrom('object_versions')
  }
}

/** Takes up what commits of before there was the table did. */
export class SqlEarlierVersions implements EarlierVersions {
  readonly #database: Database
  readonly #writer

  constructor(database: Database) {
    this.#database = database
    this.#writer = createRankedVersionWriter(database.queries)
  }

  async missing(): Promise<EarlierCommits | undefined> {
    const row = await this.#database.queries
      .selectFrom('earlier_commits')
      .selectAll()
      .executeTakeFirst()
    return row && { until: row.until_commit, done: row.done_commit ?? undefined }
  }

  async add({ versions, removedZones, done }: EarlierCommitRange): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const state = await transaction.selectFrom('earlier_commits').selectAll().executeTakeFirst()
      if (state === undefined) return
      const zones = await transaction.selectFrom('zones').select(['name', 'commit_id']).execute()
      const lifeByZone = new Map(zones.map(({ name, commit_id }) => [name, commit_id]))
      const isOfNow = ({ version: { path }, zoneCommitId }: EarlierVersion): boolean => {
        const life = lifeByZone.get(path.slice(0, path.indexOf('/')))
        return life === null || life === zoneCommitId
      }
      const kept = versions.filter(isOfNow)
      for (const zone of removedZones) await removeEarlier(transaction, zone)
      await this.#writer.execute(
        transaction,
        kept.map(({ version }, place) => ({ version, rank: state.next_rank - place })),
      )
      if (done === state.until_commit) await transaction.deleteFrom('earlier_commits').execute()
      else
        await transaction
          .updateTable('earlier_commits')
          .set({ done_commit: done, next_rank: state.next_rank - kept.length })
          .execute()
    })
  }
}

/** What was added of a zone that ended and was made anew. */
async function removeEarlier(transaction: Transaction<Schema>, zone: string): Promise<void> {
  await transaction
    .deleteFrom('object_versions')
    .where('path', '>=', `${zone}/`)
    .where('path', '<', `${zone}0`)
    .where('age_rank', '>', 0)
    .execute()
}
