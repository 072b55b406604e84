import type { SslStatus } from '../../ports/records/domain.ts'

/** What can happen to a domain while its certificate is reconciled. */
export const sslEvents = [
  /** The name leads here. */
  'pointed',
  /** The name leads nowhere, or elsewhere: its owner has something to set. */
  'misdirected',
  /** Nobody's fault: name servers or the authority do not answer, or ask to wait. */
  'delayed',
  /** The authority said no. */
  'refused',
  /** A certificate is there and is shown to clients. */
  'issued',
  /** It is time for another certificate. */
  'due',
  /** The certificate's time is over. */
  'lapsed',
] as const
export type SslEvent = (typeof sslEvents)[number]

/**
 * Where each happening leads. As long as a certificate is good, nothing that goes wrong while it is
 * renewed makes it worse than `renewing`.
 */
const statusAfter: Readonly<Record<SslStatus, Readonly<Record<SslEvent, SslStatus>>>> = {
  provisioning: {
    pointed: 'provisioning',
    misdirected: 'failed',
    delayed: 'provisioning',
    refused: 'failed',
    issued: 'active',
    due: 'provisioning',
    lapsed: 'provisioning',
  },
  failed: {
    pointed: 'provisioning',
    misdirected: 'failed',
    delayed: 'failed',
    refused: 'failed',
    issued: 'active',
    due: 'failed',
    lapsed: 'failed',
  },
  active: {
    pointed: 'active',
    misdirected: 'active',
    delayed: 'active',
    refused: 'active',
    issued: 'active',
    due: 'renewing',
    lapsed: 'expired',
  },
  renewing: {
    pointed: 'renewing',
    misdirected: 'renewing',
    delayed: 'renewing',
    refused: 'renewing',
    issued: 'active',
    due: 'renewing',
    lapsed: 'expired',
  },
  expired: {
    pointed: 'expired',
    misdirected: 'expired',
    delayed: 'expired',
    refused: 'expired',
    issued: 'active',
    due: 'expired',
    lapsed: 'expired',
  },
}

export const nextStatus = (status: SslStatus, event: SslEvent): SslStatus =>
  statusAfter[status][event]
