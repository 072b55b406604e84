import { CloneRequestError } from '../../../ports/content/clone-source.ts'

/** What of a request of `git upload-pack` names objects. */
export interface NamedObjects {
  /** Those that are to be sent. */
  readonly wanted: ReadonlySet<string>
  /** Those that the client has, or has without what is behind them. */
  readonly held: ReadonlySet<string>
}

/** A request taken apart at its packets (gitprotocol-common). */
export interface ZoneRequest extends NamedObjects {
  /**
   * The same request, with an id that nothing has in place of what the client says to have and `isKnown`
   * does not know. Git then says that it is not there; without such lines it would say nothing.
   */
  knowing(isKnown: (id: string) => boolean): Uint8Array
}

interface Packet {
  readonly bytes: Uint8Array
  readonly wantedId: string | undefined
  readonly heldId: string | undefined
}

const lengthBytes = 4
const idOfNothing = 'f'.repeat(40)
/** Flush, delimiter and end of the response: packets without contents. */
const emptyPackets: ReadonlySet<number> = new Set([0, 1, 2])
const wantPattern = /^want (?<id>[0-9a-f]{40})(?: |\n|$)/iu
const heldPattern = /^(?:have|shallow) (?<id>[0-9a-f]{40})\n?$/iu
const filterPattern = /^filter (?:blob:none|blob:limit=\d{1,12}[kmg]?|tree:\d{1,6})\n?$/u
/** Lines that may name an object, or a ref in its place, and commands of version 2 that may tell of one. */
const namingPattern = /^(?:want|have|shallow|filter|oid|command=(?!(?:ls-refs|fetch)\n?$))/u

/** Refuses with {@link CloneRequestError} what is no request, or names objects in ways not known here. */
export function readZoneRequest(request: Uint8Array): ZoneRequest {
  const packets = [...packetsOf(request)].map(readPacket)
  const idsOf = (field: 'wantedId' | 'heldId') =>
    new Set(packets.flatMap((packet) => packet[field] ?? []))
  return {
    wanted: idsOf('wantedId'),
    held: idsOf('heldId'),
    knowing: (isKnown) =>
      Buffer.concat(
        packets.map(({ bytes, heldId }) =>
          heldId === undefined || isKnown(heldId) ? bytes : withoutId(bytes),
        ),
      ),
  }
}

function readPacket(bytes: Uint8Array): Packet {
  const line = Buffer.from(bytes.subarray(lengthBytes)).toString('latin1')
  const wantedId = wantPattern.exec(line)?.groups?.['id']?.toLowerCase()
  const heldId = heldPattern.exec(line)?.groups?.['id']?.toLowerCase()
  if (wantedId === undefined && heldId === undefined && namesObject(line))
    throw new CloneRequestError(`The line ${JSON.stringify(line.slice(0, 80))} is not possible`)
  return { bytes, wantedId, heldId }
}

function withoutId(bytes: Uint8Array): Uint8Array {
  const line = Buffer.from(bytes).toString('latin1')
  return Buffer.from(line.replace(/[0-9a-f]{40}/iu, idOfNothing), 'latin1')
}

const namesObject = (line: string): boolean => namingPattern.test(line) && !filterPattern.test(line)

function* packetsOf(request: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < request.length;) {
    const length = lengthAt(request, start)
    if (length === undefined || start + length > request.length)
      throw new CloneRequestError('The request does not consist of packets')
    yield request.subarray(start, start + length)
    start += length
  }
}

function lengthAt(request: Uint8Array, start: number): number | undefined {
  const digits = Buffer.from(request.subarray(start, start + lengthBytes)).toString('latin1')
  if (!/^[0-9a-f]{4}$/iu.test(digits)) return undefined
  const length = Number.parseInt(digits, 16)
  if (emptyPackets.has(length)) return lengthBytes
  return length < lengthBytes ? undefined : length
}
