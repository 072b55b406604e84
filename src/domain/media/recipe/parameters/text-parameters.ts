import { parameter } from './parameter.ts'
import { overlaidText } from './text-value.ts'

const form = { unset: 'Hello@southwest,48,fff' } as const

/** What is written over an image and its overlays. */
export const textParameters = {
  text: parameter({
    name: 'text',
    meaning:
      'Text that is laid over it and its overlays, in Noto Sans: where, how large, in which colour, how far from the sides, in CSS pixels. Further words: bold, italic; left, center, right for its lines; wrap: and the percent of the width that lines have at most; opacity: and percent; box: and a colour and percent, for what is behind it. It is made smaller where it does not fit.',
    values: overlaidText,
    leftOut: undefined,
    default: 'none; 32 pixels, white, 16 from the sides',
    form: { label: 'Text', ...form },
  }),
  text2: parameter({
    name: 'text2',
    meaning: 'One more, over the one before.',
    values: overlaidText,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Text 2', ...form },
  }),
  text3: parameter({
    name: 'text3',
    meaning: 'One more, over the one before.',
    values: overlaidText,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Text 3', ...form },
  }),
} as const
