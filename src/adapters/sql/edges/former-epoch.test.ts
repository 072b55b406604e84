import { afterAll, beforeAll, expect, test } from 'bun:test'

import { have, postgres } from '../../../../test/support/needs.ts'
import type { DatabaseServer } from '../../../../test/support/postgres-server.ts'
import { openDatabaseServer } from '../../../../test/support/shared-servers.ts'
import {
  assetAt,
  at,
  auditOf,
  entry,
  failureOf,
} from '../../../ports/content/publication-store.contract.ts'
import { delivered, webhookOf } from '../../../ports/webhooks/webhook-store.contract.ts'
import type { Delivery } from '../../../ports/webhooks/webhook-outbox.ts'
import type { Database } from '../database.ts'
import { openPostgresDatabase } from '../postgres/postgres-database.ts'
import { postgresFlavour } from '../postgres/postgres-flavour.ts'
import { SqlLogStore } from '../traffic/sql-log-store.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlQuotaStore } from '../access/sql-quota-store.ts'
import { SqlWriterLease } from './sql-writer-lease.ts'
import { SqlWebhookOutbox } from '../webhooks/sql-webhook-outbox.ts'
import { SqlWebhookStore } from '../webhooks/sql-webhook-store.ts'

let server: DatabaseServer

if (have('what a former epoch has left to write', postgres)) {
  beforeAll(async () => void (server = await openDatabaseServer()), 60_000)
  afterAll(async () => await server[Symbol.asyncDispose]())

  test('a node that lost the right to write while it delivered, counted and published changes nothing more', async () => {
    await using cluster = await openCluster()
    const failures: unknown[] = []
    await using former = await cluster.lead((failure) => failures.push(failure))
    await new SqlWebhookStore(former).add(webhookOf('a'), { limit: 9, audit: auditOf({}) })
    await new SqlPublicationStore(former).publish([{ feed: [entry('one')] }])
    await take(former)
    const [inFlight] = await ready(former)
    await using current = await cluster.lead()
    const late = [
      new SqlWebhookOutbox(former).record([delivered(inFlight)]),
      take(former),
      new SqlQuotaStore(former).refund({ ...quota, amount: 1 }),
      new SqlPublicationStore(former).publish([{ assets: [assetAt('a')], feed: [entry('two')] }]),
      new SqlLogStore(former).append([]),
    ]

    for (const failure of await Promise.all(late.map(failureOf)))
      expect(failure).toMatchObject({
        name: 'StoreUnavailableError',
        store: 'metadata',
        final: true,
      })
    expect(failures).toHaveLength(1)
    // Whoever writes now sends it again, under the same id: receivers can tell.
    expect((await ready(current))[0]).toEqual(inFlight)
    expect(await new SqlQuotaStore(current).used(quota.name, quota.window)).toBe(1)
    expect((await new SqlPublicationStore(current).position()).seq).toBe(1)
  })

  test('of a quota that two epochs take from at once no more is granted than there is', async () => {
    await using cluster = await openCluster()
    await using former = await cluster.lead()
    const before = Array.from({ length: 40 }, () => take(former).catch(() => undefined))
    await using current = await cluster.lead()
    const after = Array.from({ length: 40 }, () => take(current))
    const granted = (await Promise.all([...before, ...after])).filter((used) => used !== undefined)

    expect(granted).toHaveLength(quota.limit)
    expect(await new SqlQuotaStore(current).used(quota.name, quota.window)).toBe(quota.limit)
  })
}

interface Cluster extends AsyncDisposable {
  /** Begins another epoch, and opens the database of the node that may write in it. */
  lead(onFatal?: (failure: unknown) => void): Promise<Database>
}

async function openCluster(): Promise<Cluster> {
  const url = await server.createDatabase()
  const lease = new SqlWriterLease({
    database: await openPostgresDatabase({ url }),
    flavour: postgresFlavour,
    termMs: 60_000,
  })
  let last = 0
  return {
    async lead(onFatal = () => {}) {
      await lease.release(last)
      last = (await lease.take('http://node')) ?? 0
      return await openPostgresDatabase({ url, epoch: last, onFatal })
    },
    [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose](),
  }
}

const quota = { name: 'purge', window: '2026-11-22', limit: 25 }

const take = async (database: Database): Promise<number | undefined> =>
  await new SqlQuotaStore(database).take({ ...quota, amount: 1 })

const ready = async (database: Database): Promise<readonly Delivery[]> =>
  await new SqlWebhookOutbox(database).ready('a', { now: at(9), limit: 9, holdingFailures: 3 })
