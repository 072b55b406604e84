const quote = 0x22
const backslash = 0x5c
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b])
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d])

/** A long string of a JSON text, left where it lies. */
export class LongString {
  readonly #json: Uint8Array
  readonly #start: number
  readonly #end: number

  /** `start` and `end` span the string's characters, without its quotes. */
  constructor(json: Uint8Array, start: number, end: number) {
    this.#json = json
    this.#start = start
    this.#end = end
  }

  /** @throws SyntaxError where the string is not JSON. */
  text(): string {
    const bytes = this.#json.subarray(this.#start, this.#end)
    if (!bytes.includes(backslash) && !bytes.some((byte) => byte < 0x20))
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const quoted = this.#json.subarray(this.#start - 1, this.#end + 1)
    return String(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(quoted)))
  }
}

interface Options {
  /** Strings of more bytes than this are left where they lie. */
  readonly longerThan: number
  /** Deeper nesting is refused. */
  readonly maxDepth: number
}

/**
 * Parses JSON without copying its long strings: each, unless it is a key, becomes a {@link LongString} that reads from
 * `json` when asked, so that a large body is held once.
 *
 * @throws SyntaxError where `json` is not JSON, RangeError where it nests too deeply.
 */
export function parseJsonSkeleton(json: Uint8Array, options: Options): unknown {
  // No text of the body can hold this, so no string of it is mistaken for a stand-in.
  const mark = `long:${crypto.randomUUID()}:`
  const longStrings: LongString[] = []
  const skeleton = cutLongStrings(
    json,
    options,
    (string) => `${mark}${longStrings.push(string) - 1}`,
  )
  return JSON.parse(skeleton, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark)
      ? longStrings[Number(value.slice(mark.length))]
      : value,
  )
}

function cutLongStrings(
  json: Uint8Array,
  { longerThan, maxDepth }: Options,
  standIn: (string: LongString) => string,
): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  let depth = 0
  let copiedTo = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0
    if (opening.has(byte)) depth += 1
    else if (closing.has(byte)) depth -= 1
    if (depth > maxDepth) throw new RangeError(`nested more than ${maxDepth} levels deep`)
    if (byte !== quote) continue
    const end = endOfString(json, at + 1)
    if (end - at - 1 > longerThan && !isKey(json, end + 1)) {
      pieces.push(decoder.decode(json.subarray(copiedTo, at + 1)))
      pieces.push(standIn(new LongString(json, at + 1, end)))
      copiedTo = end
    }
    at = end
  }
  pieces.push(decoder.decode(json.subarray(copiedTo)))
  return pieces.join('')
}

const colon = 0x3a
const space = 0x20

/** Whether the string that ended before `from` names a member: names are looked up, never left out. */
function isKey(json: Uint8Array, from: number): boolean {
  let at = from
  while ((json[at] ?? colon) <= space) at += 1
  return json[at] === colon
}

/** The index of the quote that ends the string whose characters start at `from`. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from
  for (;;) {
    const end = json.indexOf(quote, at)
    if (end < 0) return json.length
    let slashes = 0
    while (json[end - 1 - slashes] === backslash && end - 1 - slashes >= from) slashes += 1
    if (slashes % 2 === 0) return end
    at = end + 1
  }
}
