import { decimalFrom, formats, integerFrom } from './parameter-values.ts'
import { parameter } from './parameter.ts'
import { maxSide } from './size-parameters.ts'

/** What a caller does not want worked on, or made: within what the service allows anyway. */
export const limitParameters = {
  skip: parameter({
    name: 'skip',
    meaning: 'Formats of which the file is sent as it is stored, whatever else is asked for.',
    values: formats,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Send as stored', unset: 'gif,svg' },
  }),
  maxResultSide: parameter({
    name: 'max_side',
    meaning:
      'The longest side that a result may have: what would be larger is made smaller as a whole.',
    values: integerFrom(1, maxSide),
    leftOut: undefined,
    default: 'any',
    form: { label: 'Longest side at most', unset: 'pixels' },
  }),
  maxSourceMegapixels: parameter({
    name: 'max_source_mp',
    meaning: 'Megapixels of one frame that the source may have; 422 where it has more.',
    values: decimalFrom(0.001, 50),
    leftOut: undefined,
    default: 'what the service reads',
    form: { label: 'Megapixels of the source at most', unset: 'megapixels' },
  }),
  maxSourceBytes: parameter({
    name: 'max_source_bytes',
    meaning: 'Bytes that the source may have; 422 where it has more.',
    values: integerFrom(1, 100_000_000),
    leftOut: undefined,
    default: 'what the service reads',
    form: { label: 'Bytes of the source at most', unset: 'bytes' },
  }),
  maxFrames: parameter({
    name: 'max_frames',
    meaning: 'Frames of a source that is still shown moving; of one with more the first is shown.',
    values: integerFrom(1, 10_000),
    leftOut: undefined,
    default: 'what the service reads',
    form: { label: 'Frames at most', unset: 'frames' },
  }),
  maxFrameMegapixels: parameter({
    name: 'max_frame_mp',
    meaning: 'The same of the megapixels of a frame.',
    values: decimalFrom(0.001, 50),
    leftOut: undefined,
    default: 'what the service reads',
    form: { label: 'Megapixels of a frame at most', unset: 'megapixels' },
  }),
} as const
