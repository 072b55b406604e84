import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { createRandom, type Random, seedOf } from '../support/random.ts'
import { absent, type Intent, Ledger, stateOf } from '../support/ledger.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'

const cycles = Number(process.env['SEDGE_KILL_CYCLES'] ?? 20)
const clientCount = 4
const pathsPerClient = 12

interface Client {
  readonly zone: string
  readonly random: Random
  readonly ledger: Ledger
}

/** One request of a client, noted before it is sent and again when it is answered. */
async function act({ zone, random, ledger }: Client, url: string): Promise<void> {
  const pathOf = () => `${zone}/v1/logos/file-${random.integer(1, pathsPerClient)}.bin`
  const kind = random.pick(['put', 'put', 'put', 'delete', 'batch'] as const)
  const sizeBytes = random.pick([0, 10, 2_000, 90_000])
  const request = {
    put: () => put(url, pathOf(), random.bytes(sizeBytes)),
    delete: () => remove(url, pathOf()),
    batch: () =>
      batch(url, new Map(Array.from({ length: 5 }, () => [pathOf(), random.bytes(300)]))),
  }[kind]()
  ledger.asked(request.intent)
  const response = await request.send()
  await response.arrayBuffer()
  if (response.ok) ledger.answered()
  else if (response.status < 500) ledger.refused()
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

/** Works until the service is gone. */
async function work(client: Client, url: string): Promise<void> {
  for (;;) {
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

async function verify(clients: readonly Client[], service: ServiceProcess): Promise<void> {
  const faults: string[] = []
  for (const client of clients) {
    const seen = await observe(client, service.url)
    faults.push(...seen.faults, ...client.ledger.reconcile(seen.actual))
  }
  expect(faults).toEqual([])
}

function fsck(dataDirectory: string): string {
  const child = Bun.spawnSync([
    'git',
    `--git-dir=${join(dataDirectory, 'repository.git')}`,
    'fsck',
    '--strict',
    '--connectivity-only',
  ])
  return child.exitCode === 0 ? '' : child.stderr.toString()
}

test(
  `${cycles} kills at random moments lose nothing that was acknowledged and leave nothing half done`,
  async () => {
    const random = createRandom(seedOf('kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clients = Array.from({ length: clientCount }, (_, index) => ({
      zone: `client-${index}`,
      random: createRandom(random.integer(0, 2 ** 31)),
      ledger: new Ledger(),
    }))

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory })
      if (cycle === 0)
        for (const { zone } of clients) {
          const body = JSON.stringify({ Name: zone })
          await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
        }
      await verify(clients, service)
      expect(fsck(dataDirectory)).toBe('')
      const working = clients.map((client) => work(client, service.url))
      await Bun.sleep(random.integer(50, 400))
      await service.kill()
      await Promise.all(working)
    }

    await using service = await startService({ dataDirectory })
    await verify(clients, service)
    const acknowledged = clients.reduce((sum, { ledger }) => sum + ledger.acknowledgedCount, 0)
    console.log(`${cycles} kills, ${acknowledged} acknowledged writes, none lost`)
    expect(acknowledged).toBeGreaterThan(cycles)
  },
  cycles * 20_000 + 60_000,
)
