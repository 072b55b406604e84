import type { Kysely, Transaction } from 'kysely'

import {
  keptDetailHourDays,
  keptPathMinuteDays,
  maxAssetPathsPerHour,
  maxAssetPathsPerMinute,
} from '../../../../ports/traffic/traffic-store.ts'
import type { Schema } from '../../schema.ts'
import { boundedEntries, mergeEntries } from './path-entries.ts'

export type PathStepName = Schema['traffic_path_steps']['step']

/** So many flushes add a part each before the parts are merged. */
const maxParts = { minute: 4, hour: 32 } as const
const maxPaths = { minute: maxAssetPathsPerMinute, hour: maxAssetPathsPerHour } as const

interface Times {
  readonly minute: number
  readonly hour: number
}

/** Adds the sums of a flush to its minute and its hour. */
export async function addPathSteps(
  transaction: Transaction<Schema>,
  times: Times,
  entriesByZone: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  for (const step of ['minute', 'hour'] as const) {
    const place = { step, at: times[step] }
    const parts = await partsOf(transaction, place)
    for (const [zone, entries] of entriesByZone) {
      const part = (parts.get(zone) ?? -1) + 1
      const row = { ...place, zone, part, entries: boundedEntries(entries, maxPaths[step]) }
      if (part < maxParts[step]) await insert(transaction, row)
      else await merge(transaction, row)
    }
  }
}

type Row = Schema['traffic_path_steps']
type Place = Pick<Row, 'step' | 'at'>

async function partsOf(
  transaction: Transaction<Schema>,
  { step, at }: Place,
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction
    .selectFrom('traffic_path_steps')
    .select(({ fn }) => ['zone', fn.max('part').as('part')])
    .where('step', '=', step)
    .where('at', '=', at)
    .groupBy('zone')
    .execute()
  return new Map(rows.map(({ zone, part }) => [zone, part]))
}

const insert = async (transaction: Transaction<Schema>, row: Row): Promise<void> =>
  void (await transaction.insertInto('traffic_path_steps').values(row).execute())

/** Puts `added` and all parts there are into one. */
async function merge(transaction: Transaction<Schema>, added: Row): Promise<void> {
  const { step, at, zone } = added
  const parts = await transaction
    .selectFrom('traffic_path_steps')
    .select('entries')
    .where('step', '=', step)
    .where('at', '=', at)
    .where('zone', '=', zone)
    .execute()
  await transaction
    .deleteFrom('traffic_path_steps')
    .where('step', '=', step)
    .where('at', '=', at)
    .where('zone', '=', zone)
    .execute()
  const blocks = [...parts.map(({ entries }) => entries), added.entries]
  await insert(transaction, { ...added, part: 0, entries: mergeEntries(blocks, maxPaths[step]) })
}

interface Wanted {
  readonly step: PathStepName
  readonly from: number
  /** Not included. */
  readonly to: number
  readonly zones: ReadonlySet<string> | undefined
}

/** The parts of steps, in no order. */
export const readPathSteps = async (
  queries: Kysely<Schema>,
  { step, from, to, zones }: Wanted,
): Promise<readonly Pick<Row, 'at' | 'entries'>[]> =>
  await queries
    .selectFrom('traffic_path_steps')
    .select(['at', 'entries'])
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .$if(zones !== undefined, (all) => all.where('zone', 'in', zones?.size ? [...zones] : ['-']))
    .execute()

/** Forgets what is older than it is kept. */
export async function forgetPathSteps(
  transaction: Transaction<Schema>,
  today: number,
): Promise<void> {
  for (const [step, first] of [
    ['minute', (today - keptPathMinuteDays + 1) * 24 * 60],
    ['hour', (today - keptDetailHourDays + 1) * 24],
  ] as const)
    await transaction
      .deleteFrom('traffic_path_steps')
      .where('step', '=', step)
      .where('at', '<', first)
      .execute()
}
