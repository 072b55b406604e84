import { expect } from 'bun:test'
import { join } from 'node:path'

import { absent, type Intent, Ledger, stateOf } from './ledger.ts'
import { createRandom, type Random } from './random.ts'
import { access, account } from './service-process.ts'

const pathsPerClient = 12

/** Who writes to a zone of its own and remembers what was answered. */
export interface Client {
  readonly zone: string
  readonly random: Random
  readonly ledger: Ledger
  /**
   * Whether a request may be sent twice on its way: HTTP clients, and nodes that pass requests on, do so
   * where a connection ends without a response (RFC 9110 §9.2.2). Then a deletion that has happened is 404.
   */
  readonly mayRepeat: boolean
}

/** One request of a client, noted before it is sent and again when it is answered. */
export async function act({ zone, random, ledger, mayRepeat }: Client, url: string): Promise<void> {
  const pathOf = () => `${zone}/v1/logos/file-${random.integer(1, pathsPerClient)}.bin`
  const kind = random.pick(['put', 'put', 'put', 'delete', 'batch', 'upload'] as const)
  const sizeBytes = random.pick([0, 10, 2_000, 90_000])
  const request = {
    put: () => put(url, pathOf(), random.bytes(sizeBytes)),
    upload: () => upload(url, pathOf(), random.bytes(sizeBytes)),
    delete: () => remove(url, pathOf()),
    batch: () =>
      batch(url, new Map(Array.from({ length: 5 }, () => [pathOf(), random.bytes(300)]))),
  }[kind]()
  const mayBeDone = () =>
    mayRepeat &&
    kind === 'delete' &&
    [...request.intent.keys()].some((path) => ledger.stateOf(path) !== absent)
  ledger.asked(request.intent)
  const response = await request.send()
  await response.arrayBuffer()
  if (response.ok) ledger.answered()
  else if (response.status < 500 && !mayBeDone()) ledger.refused()
  else throw new Error(`${kind} was answered ${response.status}`)
}

interface Request {
  readonly intent: Intent
  readonly send: () => Promise<Response>
}

const put = (url: string, path: string, bytes: Uint8Array<ArrayBuffer>): Request => ({
  intent: new Map([[path, stateOf(bytes)]]),
  send: () => fetch(`${url}/api/storage/${path}`, { method: 'PUT', headers: access, body: bytes }),
})

const upload = (url: string, path: string, bytes: Uint8Array<ArrayBuffer>): Request => ({
  intent: new Map([[path, stateOf(bytes)]]),
  send: () =>
    fetch(`${url}/api/uploads?path=${path}`, { method: 'POST', headers: access, body: bytes }),
})

const remove = (url: string, path: string): Request => ({
  intent: new Map([[path, absent]]),
  send: () => fetch(`${url}/api/storage/${path}`, { method: 'DELETE', headers: access }),
})

const batch = (url: string, files: ReadonlyMap<string, Uint8Array>): Request => ({
  intent: new Map([...files].map(([path, bytes]) => [path, stateOf(bytes)])),
  send: () =>
    fetch(`${url}/api/storage/batch`, {
      method: 'POST',
      headers: access,
      body: JSON.stringify({
        files: [...files].map(([path, bytes]) => ({ path, content: bytes.toBase64() })),
      }),
    }),
})

/** Works until the service is gone, or the signal is given. */
export async function work(client: Client, url: string, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if (signal?.aborted === true) return
    try {
      await act(client, url)
    } catch {
      return
    }
  }
}

async function bodyState(response: Promise<Response>): Promise<string> {
  const answered = await response
  if (answered.status === 404) return absent
  if (!answered.ok) return `status ${answered.status}`
  return stateOf(await answered.bytes())
}

/** What storage, listing and edge show of a client's paths; they must not differ. */
async function observe({ zone, ledger }: Client, url: string) {
  const listing: { ObjectName: string; Checksum: string }[] = await (
    await fetch(`${url}/api/storage/${zone}/v1/logos/`, { headers: access })
  ).json()
  const listed = new Map(
    listing.map((entry) => [`${zone}/v1/logos/${entry.ObjectName}`, entry.Checksum]),
  )
  const actual = new Map<string, string>()
  const faults: string[] = []
  for (const path of ledger.paths) {
    const stored = await bodyState(fetch(`${url}/api/storage/${path}`, { headers: access }))
    const served = await bodyState(fetch(`${url}/${path}`))
    const inList = listed.get(path) ?? absent
    if (stored !== served || stored !== inList)
      faults.push(`${path}: storage ${stored}, edge ${served}, listing ${inList}`)
    actual.set(path, stored)
    listed.delete(path)
  }
  for (const path of listed.keys()) faults.push(`${path}: nobody wrote it`)
  return { actual, faults }
}

export async function verify(
  clients: readonly Client[],
  service: { readonly url: string },
): Promise<void> {
  const faults: string[] = []
  for (const client of clients) {
    const seen = await observe(client, service.url)
    faults.push(...seen.faults, ...client.ledger.reconcile(seen.actual))
  }
  expect(faults).toEqual([])
}

/** What git finds wrong with the repository; empty where nothing is. */
export function fsck(dataDirectory: string): string {
  const child = Bun.spawnSync([
    'git',
    `--git-dir=${join(dataDirectory, 'repository.git')}`,
    'fsck',
    '--strict',
    '--connectivity-only',
  ])
  return child.exitCode === 0 ? '' : child.stderr.toString()
}

/** Makes each client its zone. */
export async function createZones(clients: readonly Client[], url: string): Promise<void> {
  for (const { zone } of clients) {
    const body = JSON.stringify({ Name: zone })
    await fetch(`${url}/api/core/zones`, { method: 'POST', headers: account, body })
  }
}

export const acknowledgedBy = (clients: readonly Client[]): number =>
  clients.reduce((sum, { ledger }) => sum + ledger.acknowledgedCount, 0)

export const createClients = (
  count: number,
  random: Random,
  { mayRepeat = false } = {},
): readonly Client[] =>
  Array.from({ length: count }, (_, index) => ({
    zone: `client-${index}`,
    random: createRandom(random.integer(0, 2 ** 31)),
    ledger: new Ledger(),
    mayRepeat,
  }))
