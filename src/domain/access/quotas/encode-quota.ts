import { ServiceError } from '../../errors.ts'
import { type Quota, type QuotaUser, refundAll, takeAll } from './quota.ts'
import { boundDelivery, usedUpThisMonth } from './used-up.ts'

/** For whom something is made. */
export interface Payer extends QuotaUser {
  readonly address: string
}

/** New variants of images: bounded for each network and each zone before they are for all. */
export interface EncodeQuota {
  /** Refuses with {@link NewVariantsUsedUp} where it is known already that the zone has none left. */
  admit(zone: string, payer: QuotaUser): void
  /**
   * Takes one, or refuses with `limit_reached`. Of what a network may have made in a short time it takes
   * `share`: one that costs as much as several counts for as many there.
   */
  take(zone: string, payer: Payer, share?: number): Promise<TakenEncode>
}

export interface TakenEncode {
  /** Gives it back: nothing came of it. */
  refund(): Promise<void>
}

/** The zone has used up what is its own, so that something else may be delivered in the place of a new variant. */
export class NewVariantsUsedUp extends ServiceError {
  constructor({ message, context }: Pick<ServiceError, 'message' | 'context'>) {
    super('limit_reached', message, { context })
  }
}

interface Dependencies {
  readonly all: Quota
  readonly ofZone: (zone: string) => Quota
  /** Throws `limit_reached` where the network has had enough for now. */
  readonly chargeNetwork: (address: string, share: number) => void
  /** Where something else may be delivered; nowhere where it is left out. */
  readonly instead?: Instead
}

interface Instead {
  /** Whether less is delivered of the zone, since it has used up what it may. */
  readonly isBounded: (zone: string) => boolean
  /** The zone's own bound, where something else is to be delivered beyond it. */
  readonly limitOf: (zone: string) => number | undefined
  readonly now: () => Date
}

const nowhere: Instead = {
  isBounded: () => false,
  limitOf: () => undefined,
  now: () => new Date(),
}

export function createEncodeQuota(dependencies: Dependencies): EncodeQuota {
  const { all, ofZone, chargeNetwork, instead = nowhere } = dependencies
  const { isBounded, limitOf, now } = instead
  const admit: EncodeQuota['admit'] = (zone, { isOperator }) => {
    if (!isOperator && isBounded(zone)) throw new NewVariantsUsedUp(boundDelivery(zone, now()))
  }

  /** Of what all share as of the zone's own it may have been the last. */
  async function isOwnUsedUp(zone: string, limit: number): Promise<boolean> {
    const state = await ofZone(zone).state()
    return state.limit === limit && state.used >= limit
  }

  return {
    admit,
    async take(zone, payer, share = 1) {
      admit(zone, payer)
      if (!payer.isOperator) chargeNetwork(payer.address, share)
      const quotas = [ofZone(zone), all] as const
      try {
        await takeAll(quotas, payer)
      } catch (error) {
        const limit = limitOf(zone)
        if (limit !== undefined && (await isOwnUsedUp(zone, limit)))
          throw new NewVariantsUsedUp(usedUpThisMonth({ zone, name: 'new-variants', limit }, now()))
        throw error
      }
      return { refund: () => refundAll(quotas) }
    },
  }
}
