import { dlopen, FFIType, type Pointer, ptr } from 'bun:ffi'

import { cLibraries } from '../../lib/c-libraries.ts'
import type { OwnSocket, SentSoFar } from '../../ports/traffic/sent-bytes.ts'
import { infoBytes, sentSoFarOf } from './tcp-info.ts'

const { i32, ptr: pointer } = FFIType
const functions = {
  getsockopt: { args: [i32, i32, i32, pointer, pointer], returns: i32 },
} as const

/** Level, name and bytes: `SO_COOKIE`, and `TCP_INFO` as it is since Linux 4.19, older than what Bun runs on. */
type Option = readonly [number, number, number]
const cookieOption: Option = [1, 57, 8]
const infoOption: Option = [6, 11, infoBytes]
/** `TCP_CLOSE`: from then on whoever is told of closed sockets knows more. */
const closedState = 7

/** What the kernel tells of sockets that this very process holds (tcp(7)): one call, and nothing is written. */
export interface OwnSockets {
  /** The socket's own number for as long as the machine runs; `undefined` where it is closed. */
  cookieOf(socket: OwnSocket): bigint | undefined
  /** `undefined` where it is closed. */
  sentSoFar(socket: OwnSocket): SentSoFar | undefined
}

/** `undefined` where there is no C library that is known. */
export function openOwnSockets(): OwnSockets | undefined {
  for (const library of cLibraries)
    try {
      return createOwnSockets(dlopen(library, functions).symbols.getsockopt)
    } catch {
      // Another C library, perhaps.
    }
  return undefined
}

type GetSocketOption = (...given: readonly [number, number, number, Pointer, Pointer]) => number

function createOwnSockets(getSocketOption: GetSocketOption): OwnSockets {
  /**
   * What is told, in memory of its own: the compiler takes two calls of the same values for one, and what was
   * written to memory before a call for what stands there after it.
   */
  function ask({ descriptor }: OwnSocket, [level, option, bytes]: Option): DataView | undefined {
    if (descriptor === undefined) return undefined
    const room = new Uint8Array(bytes)
    const length = new Uint32Array([bytes])
    const isTold = getSocketOption(descriptor, level, option, ptr(room), ptr(length)) === 0
    return isTold ? new DataView(room.buffer) : undefined
  }

  return {
    cookieOf: (socket) => ask(socket, cookieOption)?.getBigUint64(0, true),
    sentSoFar(socket) {
      const info = ask(socket, infoOption)
      return info === undefined || info.getUint8(0) === closedState ? undefined : sentSoFarOf(info)
    },
  }
}
