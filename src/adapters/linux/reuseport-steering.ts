import { dlopen, FFIType, ptr } from 'bun:ffi'

import { cLibraries } from '../../lib/c-libraries.ts'
import { readdirSync } from 'node:fs'

import type { ListenerPlaces, PortSteering } from '../../ports/traffic/port-steering.ts'

/** No port has so many listeners. */
const nowhere: ListenerPlaces = { from: 0xff_ff, count: 1 }

const solSocket = 1
const soAcceptConnections = 30
/** A classic BPF program that names one of a port's listeners (Linux 4.5, socket(7)). */
const soAttachReuseportCbpf = 51
const socketAddressBytes = 128

const functions = {
  setsockopt: {
    args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.u32],
    returns: FFIType.i32,
  },
  getsockopt: {
    args: [FFIType.i32, FFIType.i32, FFIType.i32, FFIType.ptr, FFIType.ptr],
    returns: FFIType.i32,
  },
  getsockname: { args: [FFIType.i32, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
} as const

/** `undefined` where the system has no such thing: everywhere but on Linux. */
export function openReuseportSteering(): PortSteering | undefined {
  if (process.platform !== 'linux') return undefined
  for (const library of cLibraries) {
    try {
      return createSteering(dlopen(library, functions).symbols)
    } catch {
      // Another C library, perhaps.
    }
  }
  return undefined
}

type Calls = ReturnType<typeof dlopen<typeof functions>>['symbols']

function createSteering(calls: Calls): PortSteering {
  /** Which of them does not matter: the program is the whole port's. */
  const listenerOn = (port: number): number | undefined =>
    openFiles().find((fd) => isListening(fd) && portOf(fd) === port)

  function isListening(fd: number): boolean {
    const value = new Int32Array(1)
    const length = new Uint32Array([value.byteLength])
    return (
      calls.getsockopt(fd, solSocket, soAcceptConnections, ptr(value), ptr(length)) === 0 &&
      value[0] === 1
    )
  }

  /** After the family, in network order, for IPv4 and IPv6 alike. */
  function portOf(fd: number): number | undefined {
    const address = new Uint8Array(socketAddressBytes)
    const length = new Uint32Array([address.byteLength])
    if (calls.getsockname(fd, ptr(address), ptr(length)) !== 0) return undefined
    return new DataView(address.buffer).getUint16(2)
  }

  function steer(port: number, places: ListenerPlaces): boolean {
    const fd = listenerOn(port)
    if (fd === undefined) return false
    const program = programFor(places)
    const header = new Uint8Array(16)
    const view = new DataView(header.buffer)
    view.setUint16(0, program.byteLength / instructionBytes, true)
    view.setBigUint64(8, BigInt(ptr(program)), true)
    const size = header.byteLength
    return calls.setsockopt(fd, solSocket, soAttachReuseportCbpf, ptr(header), size) === 0
  }

  return { steer, release: (port) => steer(port, nowhere) }
}

function openFiles(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    // Not every container shows them.
    return []
  }
}

const instructionBytes = 8

/** A random one of the places. */
function programFor({ from, count }: ListenerPlaces): Uint8Array {
  const loadRandom = { code: 0x20, k: 0xff_ff_f0_38 }
  const modulo = { code: 0x94, k: count }
  const add = { code: 0x04, k: from }
  const answer = { code: 0x16, k: 0 }
  const instructions = [loadRandom, modulo, add, answer]
  const bytes = new Uint8Array(instructions.length * instructionBytes)
  const view = new DataView(bytes.buffer)
  for (const [place, { code, k }] of instructions.entries()) {
    view.setUint16(place * instructionBytes, code, true)
    view.setUint32(place * instructionBytes + 4, k, true)
  }
  return bytes
}
