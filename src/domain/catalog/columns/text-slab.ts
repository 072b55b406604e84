import { grownTo } from '../../../lib/collections/grown-array.ts'

/** Room is given in multiples of this, so that what one text leaves fits another of about its length. */
const roomBytes = 16
/** More than any path has, in lower case too. Of a longer text only so much is kept. */
const maxTextBytes = 2047

/**
 * UTF-8 texts by number, in one array. Each has a zero byte of its own before it and at least one
 * after, so that who goes through a text byte by byte, either way, sees where it ends.
 */
export interface TextSlab {
  readonly bytes: Uint8Array
  /** The number of the text that the byte at `place` is of is at `place >>> 4`. */
  readonly idByRoom: Uint32Array
  /** Answers where in `bytes` the zero before the text is. */
  put(id: number, text: string): number
  free(id: number): void
}

export function createTextSlab(): TextSlab {
  const encoder = new TextEncoder()
  const encoded = new Uint8Array(maxTextBytes)
  let bytes = new Uint8Array(0)
  let usedBytes = 0
  let idByRoom = new Uint32Array(0)
  let startById = new Uint32Array(0)
  const freeStartsByRooms: number[][] = []

  function takeRooms(rooms: number): number {
    const free = freeStartsByRooms[rooms]?.pop()
    if (free !== undefined) return free
    const start = usedBytes
    usedBytes += rooms * roomBytes
    bytes = grownTo(bytes, usedBytes)
    idByRoom = grownTo(idByRoom, usedBytes / roomBytes)
    return start
  }

  return {
    get bytes() {
      return bytes
    },
    get idByRoom() {
      return idByRoom
    },
    put(id, text) {
      const length = encoder.encodeInto(text, encoded).written
      const rooms = roomsFor(length)
      const start = takeRooms(rooms)
      const end = start + rooms * roomBytes
      bytes[start] = 0
      for (let at = 0; at < length; at += 1) bytes[start + 1 + at] = encoded[at]!
      bytes.fill(0, start + 1 + length, end)
      idByRoom.fill(id, start / roomBytes, end / roomBytes)
      startById = grownTo(startById, id + 1)
      startById[id] = start
      return start
    },
    free(id) {
      const start = startById[id]!
      const rooms = roomsFor(bytes.indexOf(0, start + 1) - start - 1)
      ;(freeStartsByRooms[rooms] ??= []).push(start)
    },
  }
}

const roomsFor = (textBytes: number) => Math.ceil((textBytes + 2) / roomBytes)
