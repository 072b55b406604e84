import { CString, dlopen, linkSymbols, type Pointer, ptr, read, toArrayBuffer } from 'bun:ffi'

interface Options {
  /** The shared library of ONNX Runtime. */
  readonly library: string
  readonly model: Uint8Array
  readonly inputs: readonly string[]
  readonly output: string
  /** How many numbers an input has at most. */
  readonly maxLength: number
}

/** What is 64 bits long may come as either. */
type Address = Pointer | bigint

/** The version of the C API whose functions are used; later libraries have them too. */
const apiVersion = 17
const bytesPerPointer = 8
/** Values of enumerations in onnxruntime_c_api.h. */
const errorsOnly = 3
const deviceAllocator = 0
const usualMemory = 0
const int64 = 7

/**
 * A model in the native ONNX Runtime, on one thread, by way of its C API. What the runtime points to is
 * held in fields, so that it lives as long as the session. Everything throws where the runtime refuses.
 */
export class NativeSession {
  readonly #api: Api
  readonly #session: Address
  readonly #memory: Address
  readonly #inputNames: CStrings
  readonly #outputNames: CStrings
  readonly #inputs: readonly BigInt64Array[]
  readonly #tensors: BigUint64Array
  readonly #shape = BigInt64Array.of(1n, 0n)
  readonly #answer = new BigUint64Array(1)

  constructor({ library, model, inputs, output, maxLength }: Options) {
    this.#api = linkApi(library)
    this.#inputNames = cStringsOf(inputs)
    this.#outputNames = cStringsOf([output])
    this.#inputs = inputs.map(() => new BigInt64Array(maxLength))
    this.#tensors = new BigUint64Array(inputs.length)
    const { createEnvironment, createOptions, createSession, createMemoryInfo } = this.#api
    const name = new TextEncoder().encode('embedding\0')
    const environment = this.#made((to) => createEnvironment(errorsOnly, name, to))
    const options = this.#made((to) => createOptions(to))
    this.#check(this.#api.setThreadsWithin(options, 1))
    this.#check(this.#api.setThreadsBetween(options, 1))
    this.#session = this.#made((to) => createSession(environment, model, model.length, options, to))
    this.#memory = this.#made((to) => createMemoryInfo(deviceAllocator, usualMemory, to))
  }

  /** Runs on a row of whole numbers for each input. Answers the first `valueCount` of the output. */
  run(rows: readonly (readonly number[])[], valueCount: number): Float32Array {
    const { run, tensorData, release } = this.#api
    const made: Address[] = []
    try {
      for (const [place, row] of rows.entries()) {
        const tensor = this.#tensorOf(this.#inputs[place] ?? new BigInt64Array(0), row)
        made.push(tensor)
        this.#tensors[place] = BigInt(tensor)
      }
      const [names, outputs] = [this.#inputNames.pointers, this.#outputNames.pointers]
      const result = this.#made((to) =>
        run(this.#session, null, names, this.#tensors, made.length, outputs, 1, to),
      )
      made.push(result)
      const data = this.#made((to) => tensorData(result, to))
      const bytes = valueCount * Float32Array.BYTES_PER_ELEMENT
      return new Float32Array(toArrayBuffer(data, 0, bytes).slice(0))
    } finally {
      for (const each of made) release(each)
    }
  }

  #tensorOf(buffer: BigInt64Array, row: readonly number[]): Address {
    buffer.set(row.map(BigInt))
    this.#shape[1] = BigInt(row.length)
    const size = row.length * BigInt64Array.BYTES_PER_ELEMENT
    return this.#made((to) =>
      this.#api.createTensor(this.#memory, buffer, size, this.#shape, 2, int64, to),
    )
  }

  /** Most functions write what they made where they are told, and answer what went wrong. */
  #made(make: (to: BigUint64Array) => Address | null): Address {
    // `run` would take what is there for room that it may write to.
    this.#answer[0] = 0n
    this.#check(make(this.#answer))
    return this.#answer[0] ?? 0n
  }

  #check(fault: Address | null): void {
    if (fault === null) return
    const text = this.#api.messageOf(fault)
    const message = text === null ? 'no reason given' : new CString(text)
    this.#api.releaseFault(fault)
    throw new Error(`the runtime refused: ${message}`)
  }
}

type Api = ReturnType<typeof linkApi>

/** Functions of the C API, by their places in its table, which only ever grows. */
function linkApi(library: string) {
  const { symbols } = dlopen(library, { OrtGetApiBase: { args: [], returns: 'ptr' } })
  const base = symbols.OrtGetApiBase()
  if (base === null) throw new Error('the runtime has no interface')
  const { getApi } = linkSymbols({
    getApi: { ptr: read.ptr(base, 0) as Pointer, args: ['u32'], returns: 'ptr' },
  }).symbols
  const table = getApi(apiVersion)
  if (table === null) throw new Error(`the runtime has no interface of version ${apiVersion}`)
  const at = (place: number) => ({ ptr: read.ptr(table, place * bytesPerPointer) as Pointer })
  return linkSymbols({
    messageOf: { ...at(2), args: ['ptr'], returns: 'ptr' },
    createEnvironment: { ...at(3), args: ['i32', 'ptr', 'ptr'], returns: 'ptr' },
    createSession: { ...at(8), args: ['ptr', 'ptr', 'usize', 'ptr', 'ptr'], returns: 'ptr' },
    run: {
      ...at(9),
      args: ['ptr', 'ptr', 'ptr', 'ptr', 'usize', 'ptr', 'usize', 'ptr'],
      returns: 'ptr',
    },
    createOptions: { ...at(10), args: ['ptr'], returns: 'ptr' },
    setThreadsWithin: { ...at(24), args: ['ptr', 'i32'], returns: 'ptr' },
    setThreadsBetween: { ...at(25), args: ['ptr', 'i32'], returns: 'ptr' },
    createTensor: {
      ...at(49),
      args: ['ptr', 'ptr', 'usize', 'ptr', 'usize', 'i32', 'ptr'],
      returns: 'ptr',
    },
    tensorData: { ...at(51), args: ['ptr', 'ptr'], returns: 'ptr' },
    createMemoryInfo: { ...at(69), args: ['i32', 'i32', 'ptr'], returns: 'ptr' },
    releaseFault: { ...at(93), args: ['ptr'], returns: 'void' },
    release: { ...at(96), args: ['ptr'], returns: 'void' },
  } as const).symbols
}

interface CStrings {
  readonly strings: readonly Uint8Array[]
  /** To the strings, which have to be kept. */
  readonly pointers: BigUint64Array
}

function cStringsOf(texts: readonly string[]): CStrings {
  const strings = texts.map((text) => new TextEncoder().encode(`${text}\0`))
  return { strings, pointers: BigUint64Array.from(strings, (each) => BigInt(ptr(each))) }
}
