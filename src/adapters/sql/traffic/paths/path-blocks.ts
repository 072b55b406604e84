import type { Kysely, Transaction } from 'kysely'

import { maxAssetPathsPerDay } from '../../../../ports/traffic/traffic-store.ts'
import { RowWriter } from '../../row-writer.ts'
import type { Schema } from '../../schema.ts'
import type { FoldedFlush, Sums } from '../fold-rows.ts'
import { encodeEntries, mergeEntries, restId } from './path-entries.ts'
import { addPathSteps } from './path-steps.ts'
import { closedSpansOver, reopenDay } from './spans.ts'

/** So many flushes add a part each before the parts are merged. */
const maxParts = 32
const maxKnownIds = 50_000

/** Writes the sums of assets: each flush adds a part a zone, and now and then the parts become one. */
export class PathBlocks {
  readonly #idByPath = new Map<string, number>()
  readonly #pathWriter: RowWriter<{ readonly id: number; readonly path: string }>

  constructor(queries: Kysely<Schema>) {
    this.#pathWriter = new RowWriter(queries, {
      table: 'traffic_paths',
      rowOf: ({ id, path }) => ({ id, path }),
    })
  }

  async add(transaction: Transaction<Schema>, folded: FoldedFlush): Promise<void> {
    const { day, pathsByZone } = folded
    if (pathsByZone.size === 0) return
    const ids = await this.#idsOf(transaction, pathsByZone)
    const entriesByZone = new Map(
      [...pathsByZone].map(([zone, paths]) => [zone, entriesOf(paths, ids)] as const),
    )
    await addParts(transaction, { span: 1, day, entriesByZone })
    await reopenDay(transaction, day)
    for (const span of await closedSpansOver(transaction, day))
      await addParts(transaction, { span: span.span_days, day: span.day, entriesByZone })
    await addPathSteps(transaction, folded, entriesByZone)
  }

  /** Forgets which ids it knows: a transaction that gave some out was undone. */
  forget(): void {
    this.#idByPath.clear()
  }

  async #idsOf(
    transaction: Transaction<Schema>,
    pathsByZone: FoldedFlush['pathsByZone'],
  ): Promise<ReadonlyMap<string, number>> {
    const paths = [...new Set([...pathsByZone.values()].flatMap((sums) => [...sums.keys()]))]
    if (this.#idByPath.size + paths.length > maxKnownIds) this.#idByPath.clear()
    const ids = new Map<string, number>([['', restId]])
    const unknown: string[] = []
    for (const path of paths) {
      const id = this.#idByPath.get(path)
      if (id === undefined && path !== '') unknown.push(path)
      else if (id !== undefined) ids.set(path, id)
    }
    for (const [path, id] of await lookUp(transaction, unknown)) ids.set(path, id)
    let next = await largestId(transaction)
    const fresh = unknown
      .filter((path) => !ids.has(path))
      .map((path) => ({ path, id: (next += 1) }))
    await this.#pathWriter.execute(transaction, fresh)
    for (const { path, id } of fresh) ids.set(path, id)
    for (const path of unknown.slice(0, maxKnownIds))
      this.#idByPath.set(path, ids.get(path) ?? restId)
    return ids
  }
}

const lookUpSize = 500

async function lookUp(
  transaction: Transaction<Schema>,
  paths: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  for (let start = 0; start < paths.length; start += lookUpSize) {
    const rows = await transaction
      .selectFrom('traffic_paths')
      .selectAll()
      .where('path', 'in', paths.slice(start, start + lookUpSize))
      .execute()
    for (const { path, id } of rows) ids.set(path, id)
  }
  return ids
}

export async function largestId(queries: Kysely<Schema>): Promise<number> {
  const row = await queries
    .selectFrom('traffic_paths')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? restId
}

const entriesOf = (paths: ReadonlyMap<string, Sums>, ids: ReadonlyMap<string, number>) =>
  encodeEntries(
    [...paths].map(([path, sums]) => {
      const id = ids.get(path)
      if (id === undefined) throw new Error(`there is no id for ${path}`)
      return { id, requests: sums.requests, bytes: sums.bytes }
    }),
  )

interface Parts {
  readonly span: number
  readonly day: number
  readonly entriesByZone: ReadonlyMap<string, Uint8Array>
}

async function addParts(
  transaction: Transaction<Schema>,
  { span, day, entriesByZone }: Parts,
): Promise<void> {
  const rows = await transaction
    .selectFrom('traffic_path_blocks')
    .select(({ fn }) => ['zone', fn.max('part').as('part')])
    .where('span_days', '=', span)
    .where('day', '=', day)
    .groupBy('zone')
    .execute()
  const partByZone = new Map(rows.map(({ zone, part }) => [zone, part]))
  for (const [zone, entries] of entriesByZone) {
    const part = (partByZone.get(zone) ?? -1) + 1
    const block = { span_days: span, day, zone, part, entries }
    if (part < maxParts) await insertBlock(transaction, block)
    else await mergeBlocks(transaction, block)
  }
}

type Block = Schema['traffic_path_blocks']

export const insertBlock = async (transaction: Transaction<Schema>, block: Block): Promise<void> =>
  void (await transaction.insertInto('traffic_path_blocks').values(block).execute())

/** Puts `added` and all parts there are into one. */
async function mergeBlocks(transaction: Transaction<Schema>, added: Block): Promise<void> {
  const { span_days: span, day, zone } = added
  const parts = await transaction
    .selectFrom('traffic_path_blocks')
    .select('entries')
    .where('span_days', '=', span)
    .where('day', '=', day)
    .where('zone', '=', zone)
    .execute()
  await transaction
    .deleteFrom('traffic_path_blocks')
    .where('span_days', '=', span)
    .where('day', '=', day)
    .where('zone', '=', zone)
    .execute()
  const blocks = [...parts.map(({ entries }) => entries), added.entries]
  const entries = mergeEntries(blocks, maxAssetPathsPerDay)
  await insertBlock(transaction, { ...added, part: 0, entries })
}
