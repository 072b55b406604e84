import { type Quota, type QuotaUser, refundAll, takeAll } from './quota.ts'

/** For whom something is made. */
export interface Payer extends QuotaUser {
  readonly address: string
}

/** New variants of images: bounded for each network and each zone before they are for all. */
export interface EncodeQuota {
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

interface Dependencies {
  readonly all: Quota
  readonly ofZone: (zone: string) => Quota
  /** Throws `limit_reached` where the network has had enough for now. */
  readonly chargeNetwork: (address: string, share: number) => void
}

export const createEncodeQuota = ({ all, ofZone, chargeNetwork }: Dependencies): EncodeQuota => ({
  async take(zone, payer, share = 1) {
    if (!payer.isOperator) chargeNetwork(payer.address, share)
    const quotas = [ofZone(zone), all] as const
    await takeAll(quotas, payer)
    return { refund: () => refundAll(quotas) }
  },
})
