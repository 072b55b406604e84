import type { CompiledQuery, Kysely, Transaction } from 'kysely'

import { takeTurns } from '../../../lib/async/turns.ts'
import type { Publication } from '../../../ports/content/publication-store.ts'
import type { FoldedPublication } from '../content/fold-publications.ts'
import { paddedLists } from '../row-lists.ts'
import type { RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import { createUsageSummer, forgetStored, UsageByZone } from './usage-rows.ts'
import type { UsageTable } from './usage-schema.ts'

/** What publications change in what is stored, and what was uploaded with them. */
export interface PublishedUsage {
  /** Of zones that they remove, up to that. */
  readonly former: UsageByZone
  readonly present: UsageByZone
}

interface StoredRow {
  readonly zone: string
  readonly stored_bytes: number
}

const dayMs = 86_400_000
/** Thousands of files let requests be answered meanwhile. */
const uploadsPerTurn = 5_000

/** Keeps the sums of what is stored to what is published, in the same transaction. */
export class PublishedUsageWriter {
  readonly #queries: Kysely<Schema>
  readonly #summer: RowWriter<UsageTable>
  /** Asked at every publication, so built once for each length of a list. */
  readonly #storedByLength = new Map<number, CompiledQuery<StoredRow>>()
  readonly #now: () => Date

  constructor(queries: Kysely<Schema>, now: () => Date) {
    this.#queries = queries
    this.#summer = createUsageSummer(queries)
    this.#now = now
  }

  /** To be called before they are applied: what they replace is read. */
  async of(
    transaction: Transaction<Schema>,
    folded: FoldedPublication,
    publications: readonly Publication[],
  ): Promise<PublishedUsage> {
    const usage = { former: new UsageByZone(), present: new UsageByZone() }
    await countUploads(publications, usage)
    for (const zone of folded.removedZones)
      usage.former.add(zone, negative(await storedOfZone(transaction, zone)))
    for (const list of paddedLists([...changedPaths(folded)])) {
      const { rows } = await transaction.executeQuery<StoredRow>({
        ...this.#storedAt(list),
        parameters: list,
      })
      for (const { zone, stored_bytes } of rows)
        if (!folded.removedZones.has(zone))
          usage.present.add(zone, negative({ stored_bytes, files: 1 }))
    }
    for (const { zone, sizeBytes } of folded.assets.values())
      usage.present.add(zone, { stored_bytes: sizeBytes, files: 1 })
    return usage
  }

  async add(transaction: Transaction<Schema>, usage: UsageByZone): Promise<void> {
    await this.#summer.execute(transaction, usage.rows(this.#today()))
  }

  async forgetStored(transaction: Transaction<Schema>): Promise<void> {
    await forgetStored(transaction, this.#today())
  }

  #storedAt(paths: readonly string[]): CompiledQuery<StoredRow> {
    const known = this.#storedByLength.get(paths.length)
    if (known !== undefined) return known
    const made = this.#queries
      .selectFrom('assets')
      .select(['zone', 'size_bytes as stored_bytes'])
      .where('path', 'in', paths)
      .compile()
    this.#storedByLength.set(paths.length, made)
    return made
  }

  #today(): number {
    return Math.floor(this.#now().getTime() / dayMs)
  }
}

/** Each once. */
function* changedPaths({ removedAssets, assets }: FoldedPublication): Generator<string> {
  for (const path of removedAssets) if (!assets.has(path)) yield path
  yield* assets.keys()
}

/** What is published silently was uploaded before. What is moved is not uploaded. */
async function countUploads(
  publications: readonly Publication[],
  { former, present }: PublishedUsage,
): Promise<void> {
  const removalByZone = new Map(
    publications.flatMap(({ removedZones = [] }, place) =>
      removedZones.map((zone) => [zone, place] as const),
    ),
  )
  const turns = takeTurns(uploadsPerTurn)
  for (const [place, publication] of publications.entries())
    for (const { path, sizeBytes } of uploadsOf(publication)) {
      await turns.after(1)
      const zone = path.slice(0, path.indexOf('/'))
      const isOfFormer = place < (removalByZone.get(zone) ?? -1)
      const counted = isOfFormer ? former : present
      counted.add(zone, { uploads: 1, uploaded_bytes: sizeBytes })
    }
}

function* uploadsOf({ feed, versions = [], moves = [] }: Publication) {
  if (feed.length === 0) return
  const moved = new Set(moves.map(({ to }) => to))
  for (const { path, content } of versions)
    if (content !== undefined && !path.endsWith('/') && !isMoved(path, moved))
      yield { path, sizeBytes: content.sizeBytes }
}

/** Itself, or a directory that it is in. */
function isMoved(path: string, moved: ReadonlySet<string>): boolean {
  if (moved.size === 0) return false
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (moved.has(path.slice(0, end))) return true
  return false
}

async function storedOfZone(transaction: Transaction<Schema>, zone: string) {
  const row = await transaction
    .selectFrom('assets')
    .select(({ fn }) => [
      fn.sum<number | null>('size_bytes').as('bytes'),
      fn.countAll<number>().as('files'),
    ])
    .where('path', '>=', `${zone}/`)
    .where('path', '<', `${zone}0`)
    .executeTakeFirstOrThrow()
  return { stored_bytes: row.bytes ?? 0, files: row.files }
}

const negative = ({ stored_bytes, files }: { stored_bytes: number; files: number }) => ({
  stored_bytes: -stored_bytes,
  files: -files,
})
