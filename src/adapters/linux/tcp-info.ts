import type { SentSoFar } from '../../ports/traffic/sent-bytes.ts'

/** Offsets in `struct tcp_info`; what was sent is told since Linux 4.19, what was acknowledged before. */
const [ackedAt, notSentAt, sentAt, sentAgainAt] = [120, 144, 200, 208]
export const infoBytes = 216

/** As of a socket that is open; `undefined` where the kernel is too old to tell. */
export function sentSoFarOf(info: DataView): SentSoFar | undefined {
  if (info.byteLength < notSentAt + 4) return undefined
  return {
    sentBytes:
      info.byteLength >= infoBytes
        ? numberAt(info, sentAt) - numberAt(info, sentAgainAt)
        : numberAt(info, ackedAt),
    waitingBytes: info.getUint32(notSentAt, true),
    isOpen: true,
  }
}

/** Of 64 bits, without a `BigInt` in between: nobody sends 2^53 bytes. */
const numberAt = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32
