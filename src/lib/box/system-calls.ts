import { dlopen, FFIType, type Pointer, ptr } from 'bun:ffi'

/** Functions of the C library; whatever points somewhere is to be kept until they have answered. */
export interface SystemCalls {
  /** -1 where it is refused. */
  syscall(number: number, ...args: readonly (number | bigint)[]): bigint
  prctl(option: number, ...args: readonly (number | bigint)[]): number
  /** Answers only where it fails. */
  execve(file: Uint8Array, args: BigUint64Array, environment: BigUint64Array): number
}

const libraries = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
const { i32, i64, ptr: pointer } = FFIType

/** Throws where there is no C library that is known. */
export function openSystemCalls(): SystemCalls {
  const { syscall, prctl, execve } = openLibrary()
  return {
    syscall: (number, ...[a = 0, b = 0, c = 0, d = 0]) => syscall(number, a, b, c, d),
    prctl: (option, ...[a = 0, b = 0, c = 0, d = 0]) => prctl(option, a, b, c, d),
    execve: (file, args, environment) => execve(file, args, environment),
  }
}

function openLibrary() {
  const faults: unknown[] = []
  for (const library of libraries)
    try {
      return dlopen(library, {
        syscall: { args: [i64, i64, i64, i64, i64], returns: i64 },
        prctl: { args: [i32, i64, i64, i64, i64], returns: i32 },
        execve: { args: [pointer, pointer, pointer], returns: i32 },
      }).symbols
    } catch (error) {
      faults.push(error)
    }
  throw new AggregateError(faults, 'there is no C library that is known')
}

export const addressOf = (bytes: NodeJS.TypedArray | DataView): Pointer => ptr(bytes)

export interface CStrings {
  /** Addresses of the strings, and 0. */
  readonly pointers: BigUint64Array
  /** What they point to, which has to be kept. */
  readonly strings: readonly Uint8Array[]
}

export function cStringsOf(texts: readonly string[]): CStrings {
  const strings = texts.map(cString)
  return {
    strings,
    pointers: BigUint64Array.from([...strings.map((each) => BigInt(ptr(each))), 0n]),
  }
}

export const cString = (text: string): Uint8Array => new TextEncoder().encode(`${text}\0`)
