import { boxesIn, find, fourCharacters, viewOf } from './boxes.ts'
import { box, u16, u32 } from './box-writer.ts'

const headerBytes = 8
const fixedBytes = 28
/** What QuickTime versions 1 and 2 put between the fixed part and the boxes. */
const extraBytes: Readonly<Record<number, number>> = { 1: 16, 2: 36 }

/**
 * A sound description as ISO/IEC 14496-12 has it. QuickTime's own has a version, more fields, and its
 * decoder configuration a level deeper, which players of fragments do not look for.
 */
export function plainSoundEntry(entry: Uint8Array): Uint8Array {
  const view = viewOf(entry)
  const extra = extraBytes[view.getUint16(headerBytes + 8)]
  if (extra === undefined || entry.length < headerBytes + fixedBytes + extra) return entry
  const outer = boxesIn(entry.subarray(headerBytes + fixedBytes + extra))
  const wave = find(outer, 'wave')
  const configuration = [...outer, ...(wave ? boxesIn(wave.payload) : [])].filter(({ type }) =>
    configurations.has(type),
  )
  return box(
    fourCharacters(entry, 4),
    entry.subarray(headerBytes, headerBytes + 8),
    u32(0, 0),
    entry.subarray(headerBytes + 16, headerBytes + 20),
    u16(0, 0),
    entry.subarray(headerBytes + 24, headerBytes + fixedBytes),
    ...configuration.map(({ whole }) => whole),
  )
}

const configurations: ReadonlySet<string> = new Set(['esds', 'dOps', 'dfLa', 'dac3', 'dec3'])
