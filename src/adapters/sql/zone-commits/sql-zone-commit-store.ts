import { sql } from 'kysely'

import type {
  ZoneCommit,
  ZoneCommitStore,
  ZoneProgress,
} from '../../../ports/zone-repositories/zone-commit-store.ts'
import type { Database } from '../database.ts'
import { paddedLists } from '../row-lists.ts'
import { replacing, RowWriter } from '../row-writer.ts'
import type { ZoneCommitTable, ZoneRepositoryTable } from './zone-commit-schema.ts'

interface OwnedCommit extends ZoneCommit {
  readonly zone: string
}

interface OwnedProgress extends ZoneProgress {
  readonly zone: string
}

export class SqlZoneCommitStore implements ZoneCommitStore {
  readonly #database: Database
  readonly #commits: RowWriter<OwnedCommit>
  readonly #repositories: RowWriter<OwnedProgress>

  constructor(database: Database) {
    this.#database = database
    this.#commits = new RowWriter<OwnedCommit>(database.queries, {
      table: 'zone_commits',
      rowOf: commitRow,
      onConflict: () => sql`on conflict (zone, zone_commit_id) do nothing`,
    })
    this.#repositories = new RowWriter<OwnedProgress>(database.queries, {
      table: 'zone_repositories',
      rowOf: progressRow,
      onConflict: replacing('zone'),
    })
  }

  async progress(zone: string): Promise<ZoneProgress | undefined> {
    const row = await this.#database.queries
      .selectFrom('zone_repositories')
      .selectAll()
      .where('zone', '=', zone)
      .executeTakeFirst()
    return (
      row && {
        beginning: row.beginning,
        readTo: row.read_to,
        newest: row.newest ?? undefined,
      }
    )
  }

  async add(zone: string, commits: readonly ZoneCommit[], progress: ZoneProgress): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const owned = commits.map((commit) => ({ ...commit, zone }))
      await this.#commits.execute(transaction, owned)
      await this.#repositories.execute(transaction, [{ ...progress, zone }])
    })
  }

  async known(zone: string, zoneCommitIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const list of paddedLists([...new Set(zoneCommitIds)])) {
      const rows = await this.#database.queries
        .selectFrom('zone_commits')
        .select('zone_commit_id')
        .where('zone', '=', zone)
        .where('zone_commit_id', 'in', list)
        .execute()
      for (const row of rows) found.add(row.zone_commit_id)
    }
    return found
  }

  async forget(zone: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      for (const table of ['zone_commits', 'zone_repositories'] as const)
        await transaction.deleteFrom(table).where('zone', '=', zone).execute()
    })
  }
}

const commitRow = ({ zone, zoneCommitId, commitId }: OwnedCommit): ZoneCommitTable => ({
  zone,
  zone_commit_id: zoneCommitId,
  commit_id: commitId,
})

const progressRow = ({
  zone,
  beginning,
  readTo,
  newest = null,
}: Omit<OwnedProgress, 'newest'> & {
  readonly newest?: string | null | undefined
}): ZoneRepositoryTable => ({ zone, beginning, read_to: readTo, newest })
