/** A body in memory, held once whichever way it is sent. */
export interface HeldBytes {
  readonly bytes: Uint8Array
  /** For a `Response`: it copies what it is made of, so it is made when one is wanted. */
  readonly blob: Blob
  /** From now on they are those that begin at `start` of `whole`, so that no more than `whole` is held. */
  moveInto(whole: Uint8Array, start: number): void
}

export function holdBytes(given: Uint8Array): HeldBytes {
  let bytes = given
  let blob: Blob | undefined
  return {
    get bytes() {
      return bytes
    },
    get blob() {
      return (blob ??= new Blob([bytes as Uint8Array<ArrayBuffer>]))
    },
    moveInto(whole, start) {
      bytes = whole.subarray(start, start + bytes.length)
      blob = undefined
    },
  }
}
