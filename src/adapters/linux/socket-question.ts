import { isIP } from 'node:net'

import type { SentSoFar } from '../../ports/traffic/sent-bytes.ts'
import { sentSoFarOf } from './tcp-info.ts'

/** One socket, as the kernel is asked for it (linux/inet_diag.h). */
export interface SocketQuestion {
  /** 16 bytes; of IPv4 the first four. */
  readonly local: Uint8Array
  readonly localPort: number
  readonly peer: Uint8Array
  readonly peerPort: number
  readonly isV6: boolean
  /** Which socket of these ends; `undefined`: whichever there is. */
  readonly cookie: bigint | undefined
}

export interface SocketReply {
  readonly cookie: bigint
  /** As of a socket that is open. */
  readonly sentSoFar: SentSoFar
}

const [familyV4, familyV6, protocolTcp] = [2, 10, 6]
const sockDiagByFamily = 20
const flagRequest = 1
/** `1 << (INET_DIAG_INFO - 1)`. */
const wantsInfo = 2
const attributeInfo = 2
const anyCookie = 0xff_ff_ff_ff_ff_ff_ff_ffn
const questionBytes = 72
const [cookieAt, attributesAt] = [60, 88]
const listening = 10

/** `nlmsghdr`, then `inet_diag_req_v2`. */
export function writeQuestion(question: SocketQuestion, sequence: number): Uint8Array {
  const bytes = new Uint8Array(questionBytes)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, questionBytes, true)
  view.setUint16(4, sockDiagByFamily, true)
  view.setUint16(6, flagRequest, true)
  view.setUint32(8, sequence, true)
  bytes.set([question.isV6 ? familyV6 : familyV4, protocolTcp, wantsInfo], 16)
  view.setUint32(20, 0xff_ff_ff_ff, true)
  view.setUint16(24, question.localPort)
  view.setUint16(26, question.peerPort)
  bytes.set(question.local, 28)
  bytes.set(question.peer, 44)
  view.setBigUint64(64, question.cookie ?? anyCookie, true)
  return bytes
}

export const sequenceOf = (answer: DataView): number => answer.getUint32(8, true)

/** `undefined` where there is no such connection, or it is as good as closed. */
export function readReply(answer: DataView): SocketReply | undefined {
  const isSocket =
    answer.byteLength >= attributesAt && answer.getUint16(4, true) === sockDiagByFamily
  if (!isSocket || answer.getUint8(17) === listening) return undefined
  const info = infoOf(answer)
  const sentSoFar = info && sentSoFarOf(info)
  return sentSoFar && { cookie: answer.getBigUint64(cookieAt, true), sentSoFar }
}

function infoOf(answer: DataView): DataView | undefined {
  let at = attributesAt
  while (at + 4 <= answer.byteLength) {
    const length = answer.getUint16(at, true)
    if (length < 4 || at + length > answer.byteLength) return undefined
    if (answer.getUint16(at + 2, true) === attributeInfo)
      return new DataView(answer.buffer, answer.byteOffset + at + 4, length - 4)
    at += Math.ceil(length / 4) * 4
  }
  return undefined
}

/** The bytes of an address, of IPv4 in either spelling its four; `undefined` where it is none. */
export function addressBytes(address: string): Uint8Array | undefined {
  // Behind a per cent sign stands which network a link-local address is on.
  const [unzoned = ''] = address.split('%', 1)
  const text = unzoned.replace(/^::ffff:(?=\d+\.)/iu, '')
  const family = isIP(text)
  if (family === 4) return Uint8Array.from(text.split('.'), Number)
  return family === 6 ? bytesOfV6(text) : undefined
}

const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'))

function bytesOfV6(text: string): Uint8Array {
  // The URL parser writes what is left of IPv4 in it as groups too.
  const plain = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const [head = '', tail] = plain.split('::')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  for (const [place, group] of [...before, ...between, ...after].entries())
    view.setUint16(place * 2, Number.parseInt(group, 16))
  return bytes
}
