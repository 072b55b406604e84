import { type Quota, type QuotaUser, refundAll, takeAll } from './quota.ts'

/** For whom something is made. */
export interface Payer extends QuotaUser {
  readonly address: string
}

/** New variants of images: bounded for each network and each zone before they are for all. */
export interface EncodeQuota {
  /** Takes one, or refuses with `limit_reached`. */
  take(zone: string, payer: Payer): Promise<TakenEncode>
}

export interface TakenEncode {
  /** Gives it back: nothing came of it. */
  refund(): Promise<void>
}

interface Dependencies {
  readonly all: Quota
  readonly ofZone: (zone: string) => Quota
  /** Throws `limit_reached` where the network has had enough for now. */
  readonly chargeNetwork: (address: string) => void
}

export const createEncodeQuota = ({ all, ofZone, chargeNetwork }: Dependencies): EncodeQuota => ({
  async take(zone, payer) {
    if (!payer.isOperator) chargeNetwork(payer.address)
    const quotas = [ofZone(zone), all] as const
    await takeAll(quotas, payer)
    return { refund: () => refundAll(quotas) }
  },
})
