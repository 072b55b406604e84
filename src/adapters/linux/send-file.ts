import { dlopen, FFIType } from 'bun:ffi'

import { cLibraries } from '../../lib/c-libraries.ts'

const { i32, i64, u64, ptr } = FFIType
const functions = { sendfile: { args: [i32, i32, ptr, u64], returns: i64 } } as const

/**
 * Has the kernel copy bytes of an open file to a socket (sendfile(2)). Answers how many it took; 0 where it takes
 * none now, or there are none.
 */
export type SendFile = (socket: number, file: SendSpan) => number

export interface SendSpan {
  readonly descriptor: number
  readonly start: number
  readonly bytes: number
}

/** `undefined` where there is no such thing: everywhere but on Linux. */
export function openSendFile(): SendFile | undefined {
  if (process.platform !== 'linux') return undefined
  for (const library of cLibraries)
    try {
      const { sendfile } = dlopen(library, functions).symbols
      const offset = new BigInt64Array(1)
      return (socket, { descriptor, start, bytes }) => {
        offset[0] = BigInt(start)
        return Math.max(Number(sendfile(socket, descriptor, offset, bytes)), 0)
      }
    } catch {
      // Another C library, perhaps.
    }
  return undefined
}
