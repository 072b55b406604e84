import { act, type Client, createClients, createZones } from '../ledger-clients.ts'
import { Ledger, type LedgerEvent, stateOf } from '../ledger.ts'
import type { Random } from '../random.ts'
import { access, account } from '../service-process.ts'
import { preciseNow } from './recorded-service.ts'

const preview = 'cut'
const pauseMs = 250

/** Writers whose ledgers can be had as they were at any moment. */
export interface Journey {
  prepare(url: string): Promise<void>
  /** Writes, uploads, removes and promotes so many times. */
  work(url: string, rounds: number): Promise<void>
  /** When a response was read. */
  readonly answeredAt: readonly number[]
  clientsAt(time: number): readonly Client[]
}

interface Noted {
  readonly at: number
  readonly event: LedgerEvent
}

export function createJourney(clientCount: number, random: Random): Journey {
  const noted = Array.from({ length: clientCount }, (): Noted[] => [])
  const clients = createClients(clientCount, random).map((client, index): Client => {
    const note = (event: LedgerEvent) => void noted[index]?.push({ at: preciseNow(), event })
    return { ...client, ledger: new Ledger(note) }
  })
  return {
    async prepare(url) {
      await createZones(clients, url)
      for (const { zone } of clients)
        await send(`${url}/api/core/zones/${zone}/previews`, account, { Name: preview })
    },
    async work(url, rounds) {
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(
          clients.map((client) => (round % 4 === 3 ? promote(client, url) : act(client, url))),
        )
        await Bun.sleep(pauseMs)
      }
    },
    get answeredAt() {
      return noted.flat().flatMap(({ at, event }) => (event.kind === 'answered' ? [at] : []))
    },
    clientsAt: (time) =>
      clients.map((client, index) => {
        const ledger = new Ledger()
        for (const { at, event } of noted[index] ?? []) if (at <= time) ledger.repeat(event)
        return { ...client, ledger }
      }),
  }
}

/** What a preview has becomes live, wholly or not at all. */
async function promote({ zone, random, ledger }: Client, url: string): Promise<void> {
  const files = [1, 2, 3].map((number) => ({
    path: `${zone}/v1/logos/promoted-${number}.bin`,
    bytes: random.bytes(500),
  }))
  await send(
    `${url}/api/storage/batch`,
    { ...access, 'Sedge-Preview': preview },
    {
      files: files.map(({ path, bytes }) => ({ path, content: bytes.toBase64() })),
    },
  )
  ledger.asked(new Map(files.map(({ path, bytes }) => [path, stateOf(bytes)])))
  await send(`${url}/api/core/zones/${zone}/previews/${preview}/promote`, account, {})
  ledger.answered()
}

async function send(url: string, headers: Record<string, string>, body: object): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`)
}
