import { flag, integerFrom, oneOf } from './parameter-values.ts'
import { parameter } from './parameter.ts'
import { qualities } from './quality-value.ts'

export const defaultQuality = 80

/** How the result is encoded. */
export const encodingParameters = {
  /** As callers spell it: whatever metadata lists as available is among the words. */
  format: parameter({
    name: 'format',
    meaning:
      'The encoding; auto chooses by the Accept header. svg is the SVG as it is stored, where there is one, and jxl the JPEG XL.',
    values: oneOf(['webp', 'avif', 'png', 'jpeg', 'jpg', 'gif', 'svg', 'jxl', 'auto']),
    leftOut: 'auto',
    default: 'auto',
    form: {
      label: 'Format',
      unset: 'Best the browser takes',
      choices: { avif: 'AVIF', webp: 'WEBP', jpeg: 'JPEG', png: 'PNG' },
    },
  }),
  /** Where it is left out, it also follows what the client says about saving data. */
  quality: parameter({
    name: 'q',
    meaning:
      'Quality on the scale of JPEG; other formats are set to look the same. Not for png and gif. auto takes the lowest that looks like the source: a structural similarity of 0.97 (auto:good), 0.985 (best), 0.95 (eco) or 0.92 (low). A quality of its own for one format stands behind its name.',
    values: qualities,
    leftOut: undefined,
    default: `${defaultQuality}, less with Save-Data: on`,
    form: { label: 'Quality', rest: defaultQuality },
  }),
  slowQuality: parameter({
    name: 'slow_q',
    meaning:
      'The quality, in the place of q, for a client that says that its connection is slow: Save-Data: on, or ECT of slow-2g, 2g or 3g.',
    values: integerFrom(1, 100),
    leftOut: undefined,
    default: 'as q',
    form: { label: 'Quality where it is slow', unset: '1 to 100' },
  }),
  isLossless: parameter({
    name: 'lossless',
    meaning:
      'Whether no pixel may change in being encoded, where the format can do that: webp, avif, png and, in its colours, gif. auto then chooses among webp and png.',
    values: flag,
    leftOut: false,
    default: '0',
    form: { label: 'Without loss', rest: 0 },
  }),
  isProgressive: parameter({
    name: 'progressive',
    meaning: 'Whether a jpeg or png shows coarsely at first and gets finer while it loads.',
    values: flag,
    leftOut: false,
    default: '0',
    form: { label: 'Progressive', rest: 0 },
  }),
  maxBytes: parameter({
    name: 'max_bytes',
    meaning:
      'The most bytes that a webp, avif or jpeg may have: the quality, q at most, is lowered until it fits. What fits in no quality is made in the lowest.',
    values: integerFrom(500, 100_000_000),
    leftOut: undefined,
    default: 'any',
    form: { label: 'Bytes at most', unset: 'bytes' },
  }),
  metadata: parameter({
    name: 'metadata',
    meaning:
      'What the result says of itself: copyright keeps the creator and the copyright of the source, all keeps EXIF and XMP as they are, with the place where it was taken.',
    values: oneOf(['none', 'copyright', 'all']),
    leftOut: 'none',
    default: 'none',
    form: {
      label: 'Metadata',
      unset: 'None',
      choices: { copyright: 'Creator and copyright', all: 'All, places too' },
    },
  }),
  profile: parameter({
    name: 'profile',
    meaning:
      'In which colours it is: srgb, which all can show, or those of the source with the profile that it brings. Where pixels are worked on one by one (overlay, text, radius and the like) it is srgb.',
    values: oneOf(['srgb', 'source']),
    leftOut: 'srgb',
    default: 'srgb',
    form: { label: 'Colours', unset: 'sRGB', choices: { source: 'As in the source' } },
  }),
  isAnimated: parameter({
    name: 'anim',
    meaning: 'Whether an animated image stays so where the format can hold it.',
    values: flag,
    leftOut: true,
    default: '1',
    form: { label: 'Animated images stay so', rest: 1 },
  }),
  frame: parameter({
    name: 'frame',
    meaning: 'One frame of an animated image, as a still one; the first is 1.',
    values: integerFrom(1, 10_000),
    leftOut: undefined,
    default: 'all, or the first where the format cannot move',
    form: { label: 'Frame', unset: 'from 1' },
  }),
  page: parameter({
    name: 'page',
    meaning:
      'Which page of a file that has pages is seen, as of a PDF; the first is 1. Of a page that is not there the answer is 422, and says how many there are.',
    values: integerFrom(1, 100_000),
    leftOut: 1,
    default: '1',
    form: { label: 'Page', unset: 'from 1' },
  }),
} as const
