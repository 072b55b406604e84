import { dlopen, FFIType, ptr } from 'bun:ffi'

import { cLibraries } from '../../lib/c-libraries.ts'

/**
 * Fills `into` with a file of exactly that many bytes, where all that takes is in the kernel's memory: nobody waits
 * for a disk. `false` where it is not, where there is no such file, or it is of another size.
 */
export type ReadCachedFile = (path: string, into: Uint8Array) => boolean

const { i32, i64_fast: i64 } = FFIType
const functions = {
  syscall: { args: [i64, i64, FFIType.ptr, FFIType.ptr, i64], returns: i64 },
  close: { args: [i32], returns: i32 },
  preadv2: { args: [i32, FFIType.ptr, i32, i64, i32], returns: i64 },
} as const

/** The same on all machines (openat2(2)); C libraries have no function for it. */
const openat2 = 437
const workingDirectory = -100
const closesOnExec = 0x80000
const resolvesCached = 0x20
/** Three numbers of 64 bits: flags, mode and how to resolve. */
const howBytes = 24
const withoutWaiting = 0x8
const maxPathBytes = 4096
const maxFileBytes = 65_536
/** The lower half of the second of two numbers of 64 bits; all machines that Bun runs on have it first. */
const lengthAt = 2

/** `undefined` where the kernel has no such calls, or may not be asked. */
export function openCachedFiles(): ReadCachedFile | undefined {
  if (process.platform !== 'linux') return undefined
  for (const library of cLibraries)
    try {
      const calls = dlopen(library, functions).symbols
      return knowsCalls(calls) ? createReading(calls) : undefined
    } catch {
      // Another C library, perhaps.
    }
  return undefined
}

type Calls = ReturnType<typeof dlopen<typeof functions>>['symbols']

/** An older kernel has them not, and a container may refuse them. What is always in memory is the root. */
function knowsCalls({ syscall, close }: Calls): boolean {
  const root = Buffer.from('/\0')
  const file = Number(syscall(openat2, workingDirectory, root, howToOpen(), howBytes))
  if (file >= 0) close(file)
  return file >= 0
}

const howToOpen = (): BigUint64Array =>
  new BigUint64Array([BigInt(closesOnExec), 0n, BigInt(resolvesCached)])

function createReading({ syscall, preadv2, close }: Calls): ReadCachedFile {
  const how = howToOpen()
  const path = Buffer.alloc(maxPathBytes)
  /** Where the kernel writes to, which is asked for one byte more than the file has. */
  const read = Buffer.allocUnsafeSlow(maxFileBytes + 1)
  const part = new BigUint64Array([BigInt(ptr(read)), 0n])
  const lengths = new Uint32Array(part.buffer)
  return (name, into) => {
    const length = path.write(name)
    if (length >= maxPathBytes - 1 || into.length === 0 || into.length > maxFileBytes) return false
    path[length] = 0
    const file = Number(syscall(openat2, workingDirectory, path, how, howBytes))
    if (file < 0) return false
    lengths[lengthAt] = into.length + 1
    const isWhole = Number(preadv2(file, part, 1, 0, withoutWaiting)) === into.length
    close(file)
    if (isWhole) read.copy(into, 0, 0, into.length)
    return isWhole
  }
}
