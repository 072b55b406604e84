/** Whole numbers of up to 53 bits in groups of 7 bits, lowest first; the top bit says that more follow. */
export interface ByteWriter {
  unsigned(value: number): void
  /** Zigzag, so that small negative numbers stay small. */
  signed(value: number): void
  finish(): Uint8Array
}

export interface ByteReader {
  unsigned(): number
  signed(): number
  bytes(length: number): Uint8Array
}

const group = 128

export function createByteWriter(): ByteWriter {
  let buffer = new Uint8Array(1024)
  let length = 0

  function unsigned(value: number): void {
    // Eight groups hold 53 bits.
    if (length + 8 > buffer.length) {
      const larger = new Uint8Array(buffer.length * 2)
      larger.set(buffer)
      buffer = larger
    }
    let rest = value
    while (rest >= group) {
      buffer[length] = (rest % group) + group
      length += 1
      rest = Math.floor(rest / group)
    }
    buffer[length] = rest
    length += 1
  }

  return {
    unsigned,
    signed: (value) => unsigned(value < 0 ? -value * 2 - 1 : value * 2),
    finish: () => buffer.slice(0, length),
  }
}

/** Only for bytes that {@link createByteWriter} has made: a damaged length would be believed. */
export function createByteReader(source: Uint8Array): ByteReader {
  let offset = 0

  function unsigned(): number {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = source[offset] ?? 0
      offset += 1
      if (byte < group) return value + byte * factor
      value += (byte - group) * factor
      factor *= group
    }
  }

  return {
    unsigned,
    signed() {
      const value = unsigned()
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    bytes(length) {
      offset += length
      return source.subarray(offset - length, offset)
    },
  }
}
