import { parameter } from './parameter.ts'
import { decimalFrom, integerFrom } from './parameter-values.ts'

const daySeconds = 86_400

/** What is seen of a video. */
export const videoParameters = {
  seconds: parameter({
    name: 't',
    meaning:
      'Which moment of a video is seen, in seconds from its start: the key frame at or before it, the last one where the video is shorter. Not together with preview.',
    values: decimalFrom(0, daySeconds),
    leftOut: undefined,
    default: 'a telling one: at a tenth of it, and not black',
    form: { label: 'Moment of a video', unset: 'seconds' },
  }),
  preview: parameter({
    name: 'preview',
    meaning:
      'Makes an image that moves of a video: key frames from all over it, three a second, for so many seconds.',
    values: integerFrom(1, 10),
    leftOut: undefined,
    default: 'one still image',
    form: { label: 'Preview of a video', unset: 'seconds' },
  }),
} as const
