import { expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'

const cycles = 3
const clientCount = 3
const deadlineMs = 60_000
const sizeBytes = 100

interface Totals {
  readonly Requests: number
  readonly Bytes: number
  readonly Uploads: number
  readonly StoredBytes: number
  readonly Files: number
}

const read = async ({ url }: ServiceProcess, path: string): Promise<Response> =>
  await fetch(`${url}/${path}`, { headers: access, signal: AbortSignal.timeout(deadlineMs) })

/** Has what was counted until now stored, before it is answered. */
async function usageOf(service: ServiceProcess): Promise<Totals> {
  const response = await read(service, 'api/usage?days=2')
  return ((await response.json()) as { Totals: Totals }).Totals
}

/** What the clients know themselves. */
interface Known {
  /** Sent, whatever became of it. */
  requests: number
  /** Answered before a reading of usage was sent, which was answered. */
  sureRequests: number
  uploads: number
  sureUploads: number
}

/** Does something again and again, until the service is gone. */
async function untilGone(act: () => Promise<unknown>): Promise<void> {
  for (;;)
    try {
      await act()
    } catch {
      return
    }
}

/** Clients that ask, store and read usage; the service is killed while usage is being stored. */
async function workAndKill(service: ServiceProcess, known: Known, cycle: number): Promise<void> {
  let answered = known.sureRequests
  let readings = 0
  const { promise: isEnough, resolve: enough } = Promise.withResolvers<void>()
  const clients = Array.from({ length: clientCount }, (_, client) =>
    untilGone(async () => {
      known.requests += 1
      await (await read(service, 'acme/v1/first.bin')).bytes()
      answered += 1
      known.uploads += 1
      const { status } = await fetch(
        `${service.url}/api/storage/acme/v1/${cycle}/${client}-${known.uploads}.bin`,
        { method: 'PUT', headers: access, body: new Uint8Array(sizeBytes).fill(known.uploads) },
      )
      if (status === 201) known.sureUploads += 1
    }),
  )
  const reader = untilGone(async () => {
    const before = answered
    await usageOf(service)
    known.sureRequests = before
    readings += 1
    if (readings === 5) enough()
  })
  await Promise.race([isEnough, reader])
  await service.kill()
  await Promise.all([reader, ...clients])
}

test(
  `${cycles} kills while usage is stored lose nothing that was stored and double nothing`,
  async () => {
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const known: Known = { requests: 0, sureRequests: 0, uploads: 0, sureUploads: 0 }
    let service = await startService({ dataDirectory })
    await using _ = { [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
    const body = JSON.stringify({ Name: 'acme' })
    await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
    await fetch(`${service.url}/api/storage/acme/v1/first.bin`, {
      method: 'PUT',
      headers: access,
      body: new Uint8Array(sizeBytes),
    })
    known.uploads += 1
    known.sureUploads += 1
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      await workAndKill(service, known, cycle)
      service = await startService({ dataDirectory })
      const totals = await usageOf(service)

      // What was read before a kill was stored, and so was what is answered as stored.
      expect(totals.Requests).toBeGreaterThanOrEqual(known.sureRequests)
      expect(totals.Requests).toBeLessThanOrEqual(known.requests)
      expect(totals.Uploads).toBeGreaterThanOrEqual(known.sureUploads)
      expect(totals.Uploads).toBeLessThanOrEqual(known.uploads)
      expect(totals.Files).toBe(totals.Uploads)
      expect(totals.StoredBytes).toBe(totals.Files * sizeBytes)
      expect(known.sureRequests).toBeGreaterThan(0)
      const summary = await read(service, 'api/insights/summary?days=2')
      expect(await summary.json()).toMatchObject({
        TotalRequests: totals.Requests,
        TotalBandwidthBytes: totals.Bytes,
      })
      known.sureRequests = totals.Requests
      known.requests = totals.Requests
      known.sureUploads = totals.Uploads
      known.uploads = totals.Uploads
    }
  },
  cycles * 120_000,
)
