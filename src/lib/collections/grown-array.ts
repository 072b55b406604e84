type Growable = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>

/** `array`, or a copy of it with at least `length` places, by half more so that growing stays rare. */
export function grownTo<T extends Growable>(array: T, length: number): T {
  if (array.length >= length) return array
  const create = array.constructor as new (length: number) => T
  const grown = new create(Math.max(length, Math.ceil(array.length * 1.5)))
  grown.set(array)
  return grown
}
