import { dlopen, FFIType } from 'bun:ffi'

import { cLibraries } from '../../lib/c-libraries.ts'

const { i32, i64, u64, ptr } = FFIType
const functions = {
  send: { args: [i32, ptr, u64, i32], returns: i64 },
  sendfile: { args: [i32, i32, ptr, u64], returns: i64 },
} as const

/** Has the kernel send a file over a socket that takes what it can without a wait. */
export interface FileSender {
  /**
   * The head of a file: it waits for the first bytes of that, to leave in one packet with them (`MSG_MORE` of send(2)).
   * Answers how many bytes were taken; 0 where none are now.
   */
  sendHead(socket: number, head: Uint8Array): number
  /** Bytes of an open file (sendfile(2)). Answers how many were taken; 0 where none are now, or there are none. */
  sendFile(socket: number, file: SendSpan): number
}

export interface SendSpan {
  readonly descriptor: number
  readonly start: number
  readonly bytes: number
}

/** `MSG_MORE`, `MSG_NOSIGNAL` and `MSG_DONTWAIT` of Linux. */
const headFlags = 0x8000 | 0x4000 | 0x40

/** `undefined` where there is no such thing: everywhere but on Linux. */
export function openFileSender(): FileSender | undefined {
  if (process.platform !== 'linux') return undefined
  for (const library of cLibraries)
    try {
      const { send, sendfile } = dlopen(library, functions).symbols
      const offset = new BigInt64Array(1)
      return {
        sendHead: (socket, head) => Math.max(Number(send(socket, head, head.length, headFlags)), 0),
        sendFile(socket, { descriptor, start, bytes }) {
          offset[0] = BigInt(start)
          return Math.max(Number(sendfile(socket, descriptor, offset, bytes)), 0)
        },
      }
    } catch {
      // Another C library, perhaps.
    }
  return undefined
}
