/** How a value of a message is written (Protocol Buffers, encoding). `hex` is bytes that JSON has as hex digits. */
type Kind = 'string' | 'hex' | 'bool' | 'varint' | 'fixed32' | 'fixed64' | 'double' | MessageSchema

/** Its number and its kind; a list of `packed` numbers is one value. */
type Field = readonly [number: number, kind: Kind, packed?: 'packed']

/** The fields of a message by the names that they have in JSON. */
export interface MessageSchema {
  readonly [name: string]: Field
}

export type Message = Readonly<Record<string, unknown>>

const wireTypes = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const

/** Writes the message that the schema's JSON mapping describes. What has no value is left out. */
export function encodeMessage(message: Message, schema: MessageSchema): Buffer {
  const parts: Uint8Array[] = []
  for (const [name, field] of Object.entries(schema)) {
    const value = message[name]
    if (value !== undefined) parts.push(...encodeField(value, field))
  }
  return Buffer.concat(parts)
}

function encodeField(value: unknown, [number, kind, packed]: Field): readonly Uint8Array[] {
  if (packed !== undefined) {
    const bytes = Buffer.concat(
      (value as readonly unknown[]).map((each) => encodeValue(each, kind)),
    )
    return [tagOf(number, wireTypes.bytes), varint(bytes.length), bytes]
  }
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((each) => {
    const bytes = encodeValue(each, kind)
    const wireType = wireTypeOf(kind)
    const tag = tagOf(number, wireType)
    return wireType === wireTypes.bytes ? [tag, varint(bytes.length), bytes] : [tag, bytes]
  })
}

function wireTypeOf(kind: Kind): number {
  if (kind === 'varint' || kind === 'bool') return wireTypes.varint
  if (kind === 'fixed64' || kind === 'double') return wireTypes.fixed64
  return kind === 'fixed32' ? wireTypes.fixed32 : wireTypes.bytes
}

const tagOf = (number: number, wireType: number): Uint8Array => varint((number << 3) | wireType)

function encodeValue(value: unknown, kind: Kind): Uint8Array {
  if (typeof kind === 'object') return encodeMessage(value as Message, kind)
  return scalars[kind](value)
}

const scalars: Readonly<Record<Exclude<Kind, MessageSchema>, (value: unknown) => Uint8Array>> = {
  string: (value) => Buffer.from(String(value)),
  hex: (value) => Buffer.from(String(value), 'hex'),
  bool: (value) => varint(Number(value)),
  varint: (value) => varint(value as number | string),
  fixed32(value) {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(Number(value))
    return bytes
  },
  fixed64(value) {
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(value as number | string))
    return bytes
  },
  double(value) {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(Number(value))
    return bytes
  },
}

/** Negative numbers take ten bytes, as two's complement of 64 bits. */
function varint(value: number | string): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value))
  const bytes: number[] = []
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  bytes.push(Number(rest))
  return Uint8Array.from(bytes)
}
