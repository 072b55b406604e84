import { dlopen, FFIType, ptr } from 'bun:ffi'

import { cLibraries } from '../../lib/c-libraries.ts'

const { i32, u32, u64, i64, ptr: pointer } = FFIType
const functions = {
  socket: { args: [i32, i32, i32], returns: i32 },
  bind: { args: [i32, pointer, u32], returns: i32 },
  send: { args: [i32, pointer, u64, i32], returns: i64 },
  recv: { args: [i32, pointer, u64, i32], returns: i64 },
  close: { args: [i32], returns: i32 },
} as const

const netlinkFamily = 16
const rawCloseOnExec = 3 | 0o2_000_000
const sockDiag = 4
const dontWait = 0x40
const maxMessageBytes = 8192

/** A socket to the kernel's sock_diag (sock_diag(7)). None of it waits. */
export interface Netlink extends Disposable {
  /** Whether the kernel has taken it: then it has answered, too. */
  send(message: Uint8Array): boolean
  /** Good until the next one; `undefined` where there is none. */
  receive(): DataView | undefined
}

/** Throws where there is no C library that is known. `undefined` where the kernel refuses. */
export function openNetlink(): (groups: number) => Netlink | undefined {
  const calls = openLibrary()
  const room = new Uint8Array(maxMessageBytes)
  return (groups) => {
    const fd = calls.socket(netlinkFamily, rawCloseOnExec, sockDiag)
    if (fd < 0) return undefined
    const address = new Uint8Array(12)
    const view = new DataView(address.buffer)
    view.setUint16(0, netlinkFamily, true)
    view.setUint32(8, groups, true)
    if (calls.bind(fd, ptr(address), address.byteLength) !== 0) {
      calls.close(fd)
      return undefined
    }
    return {
      send: (message) => Number(calls.send(fd, ptr(message), message.byteLength, dontWait)) >= 0,
      receive() {
        const length = Number(calls.recv(fd, ptr(room), room.byteLength, dontWait))
        return length < 16 ? undefined : new DataView(room.buffer, 0, length)
      },
      [Symbol.dispose]: () => void calls.close(fd),
    }
  }
}

function openLibrary() {
  const faults: unknown[] = []
  for (const library of cLibraries)
    try {
      return dlopen(library, functions).symbols
    } catch (error) {
      faults.push(error)
    }
  throw new AggregateError(faults, 'there is no C library that is known')
}
