import { ServiceError } from '../../domain/errors.ts'
import type { Pusher } from '../../domain/pushes/pusher.ts'
import { FairSlots } from '../../lib/async/fair-slots.ts'
import { networkOf } from '../../lib/net/address-list.ts'
import type { PushBounds, PushPayer } from '../../planes/git/push/push-service.ts'
import type { Limits } from '../access/limits.ts'

/** Whose packs are coming in or looked at; each may be as large as any. */
const receiving = { ofAll: 8, ofEach: 4, maxWaiting: 64, maxWaitMs: 30_000 }
/** Each is a git process or two. */
const examining = { ofAll: 2, ofEach: 1, maxWaiting: 32, maxWaitMs: 60_000 }
const kilobyte = 1000

interface GitPushBounds extends PushBounds {
  /** Room to look at a push that has come in; `undefined` where there was none in time. */
  examine(pusher: Pusher, signal: AbortSignal): Promise<Disposable | undefined>
}

/** What a network, and whoever is narrowed to zones in each of these, may push before anything is for all. */
export function createPushBounds(rates: Limits['rates']): GitPushBounds {
  const received = new FairSlots(receiving)
  const examined = new FairSlots(examining)
  return {
    requireLeft({ address, zones }) {
      for (const name of ['push', 'push-kb']) rates.requireLeft(name, address)
      for (const zone of zones)
        for (const name of ['push-zone', 'push-kb-zone']) rates.requireLeft(name, zone)
    },
    async enter(payer) {
      rates.charge('push', payer.address)
      for (const zone of payer.zones) rates.charge('push-zone', zone)
      const room = await received.enter(keysOf(payer))
      if (typeof room === 'object') return room
      const isOwn = room === 'full for a key'
      const who = isOwn ? 'too many pushes of your network or zone' : 'too many pushes'
      throw new ServiceError(
        isOwn ? 'limit_reached' : 'Unavailable',
        `${who} are under way; try again in a minute`,
      )
    },
    note({ address, zones }, sizeBytes) {
      const kilobytes = Math.ceil(sizeBytes / kilobyte)
      rates.use('push-kb', address, kilobytes)
      for (const zone of zones) rates.use('push-kb-zone', zone, kilobytes)
    },
    async examine({ ip, zones }, signal) {
      const room = await examined.enter(keysOf({ address: ip, zones: [...(zones ?? [])] }), signal)
      return typeof room === 'object' ? room : undefined
    },
  }
}

const keysOf = ({ address, zones }: PushPayer): readonly string[] => [
  `network ${networkOf(address)}`,
  ...zones.map((zone) => `zone ${zone}`),
]
