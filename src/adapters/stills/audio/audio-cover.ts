import { type FileReader, openFileReader } from '../file-reader.ts'
import type { MakeStill } from '../still-messages.ts'
import { bestOf, type Cover, coverFormat } from './cover.ts'
import { flacCovers } from './flac-covers.ts'
import { readId3 } from './id3-covers.ts'
import { mp4Covers } from './mp4-covers.ts'
import { oggCovers } from './ogg-covers.ts'

/** The cover that came with a recording: MP3, FLAC, MP4, Ogg. Nothing of the sound is read. */
export const makeAudioCover: MakeStill = (file) => {
  using reader = openFileReader(file)
  const covers = coversOf(reader).filter(({ bytes }) => coverFormat(bytes) !== undefined)
  const cover = bestOf(covers)
  const format = cover && coverFormat(cover.bytes)
  if (cover === undefined || format === undefined) return { outcome: 'none' }
  // A copy of its own: what it is a part of may be the whole tag.
  return { outcome: 'made', bytes: new Uint8Array(cover.bytes), format }
}

function coversOf(file: FileReader): readonly Cover[] {
  const magic = file.read(0, 8).toString('latin1')
  if (magic.startsWith('fLaC')) return flacCovers(file, 0)
  if (magic.startsWith('OggS')) return oggCovers(file)
  if (magic.slice(4) === 'ftyp') return mp4Covers(file)
  if (!magic.startsWith('ID3')) return []
  const { covers, end } = readId3(file)
  const isFlac = file.read(end, 4).toString('latin1') === 'fLaC'
  return covers.length === 0 && isFlac ? flacCovers(file, end) : covers
}
