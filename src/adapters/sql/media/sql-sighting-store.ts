import type { CompiledQuery } from 'kysely'

import type {
  KeptSighting,
  SettledSuggestion,
  SightingStore,
  SuggestedMember,
} from '../../../ports/vision/sighting-store.ts'
import type { Safety, Sighting } from '../../../ports/records/vision/sighting.ts'
import type { Database } from '../database.ts'
import type { SightingTable } from './sighting-schema.ts'

type SeenRow = Pick<SightingTable, 'seen_at' | 'sighting'>

/** As JSON: it is read whole, by its key; only whether it is safe is searched. */
export class SqlSightingStore implements SightingStore {
  readonly #database: Database
  /** Run for each image that is described for search, so built once. */
  readonly #select: CompiledQuery<SeenRow>

  constructor(database: Database) {
    this.#database = database
    this.#select = database.queries
      .selectFrom('sightings')
      .select(['seen_at', 'sighting'])
      .where('sha256', '=', '')
      .compile()
  }

  async find(sha256: string): Promise<KeptSighting | undefined> {
    const query = { ...this.#select, parameters: [sha256] }
    const [row] = (await this.#database.queries.executeQuery<SeenRow>(query)).rows
    if (row === undefined) return undefined
    const sighting = row.sighting === null ? undefined : (JSON.parse(row.sighting) as Sighting)
    return { seenAt: new Date(row.seen_at), sighting }
  }

  async save(sha256: string, { seenAt, sighting }: KeptSighting): Promise<void> {
    const columns = {
      seen_at: seenAt.getTime(),
      safety: sighting?.safety ?? null,
      sighting: sighting === undefined ? null : JSON.stringify(sighting),
    }
    await this.#database.transaction(async (transaction) => {
      await transaction
        .insertInto('sightings')
        .values({ sha256, ...columns })
        .onConflict((conflict) => conflict.column('sha256').doUpdateSet(columns))
        .execute()
    })
  }

  async countSince(moment: Date): Promise<number> {
    const { count } = await this.#database.queries
      .selectFrom('sightings')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('seen_at', '>=', moment.getTime())
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  async flagged(): Promise<ReadonlyMap<string, Exclude<Safety, 'safe'>>> {
    const rows = await this.#database.queries
      .selectFrom('sightings')
      .select(['sha256', 'safety'])
      .where('safety', 'in', ['borderline', 'unsafe'])
      .execute()
    return new Map(
      rows.map(({ sha256, safety }) => [sha256, safety === 'unsafe' ? 'unsafe' : 'borderline']),
    )
  }

  async settled(path: string, sha256: string): Promise<readonly SuggestedMember[]> {
    const row = await this.#database.queries
      .selectFrom('settled_suggestions')
      .select('members')
      .where('path', '=', path)
      .where('sha256', '=', sha256)
      .executeTakeFirst()
    return (row?.members.split(' ').filter(Boolean) ?? []) as readonly SuggestedMember[]
  }

  async settle({ path, sha256, members }: SettledSuggestion): Promise<void> {
    const columns = { sha256, members: members.join(' ') }
    await this.#database.transaction(async (transaction) => {
      await transaction
        .insertInto('settled_suggestions')
        .values({ path, ...columns })
        .onConflict((conflict) => conflict.column('path').doUpdateSet(columns))
        .execute()
    })
  }

  async remove(sha256: string): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      await transaction.deleteFrom('sightings').where('sha256', '=', sha256).execute()
      await transaction.deleteFrom('settled_suggestions').where('sha256', '=', sha256).execute()
    })
  }
}
