import {
  decimalFrom,
  flag,
  integerFrom,
  oneOf,
  place,
  sourceBox,
  orAuto,
  trimming,
} from './parameter-values.ts'
import { parameter } from './parameter.ts'

export const maxSide = 8192

/** What is taken of a source, and the size and shape that it gets. */
export const sizeParameters = {
  width: parameter({
    name: 'w',
    meaning:
      'Width in CSS pixels; auto follows what the client says of where the image will be seen (Sec-CH-Width, Sec-CH-Viewport-Width, Sec-CH-DPR), in the steps of a ladder of device pixels.',
    values: orAuto(integerFrom(1, maxSide)),
    leftOut: undefined,
    default: 'follows h; else the width of the source',
    form: { label: 'Width' },
  }),
  height: parameter({
    name: 'h',
    meaning: 'Height in CSS pixels.',
    values: integerFrom(1, maxSide),
    leftOut: undefined,
    default: 'follows w; else the height of the source',
    form: { label: 'Height' },
  }),
  dpr: parameter({
    name: 'dpr',
    meaning:
      'Device pixels to a CSS pixel: w and h are multiplied by it; auto is what the client says (Sec-CH-DPR): 1, 1.5, 2, 3 or 4.',
    values: orAuto(decimalFrom(1, 4)),
    leftOut: 1,
    default: '1',
    form: { label: 'Density', rest: 1 },
  }),
  /** Where it is left out, it is as `cover`, but one given side never enlarges. */
  fit: parameter({
    name: 'fit',
    meaning:
      'How the image meets the box: cover fills it and crops, contain shows all and pads, fill stretches, inside is the largest that fits, outside the smallest that covers, scale-down is as inside and never enlarges, crop is as cover and never enlarges: what is smaller than the box stays so, auto is as cover where source and box are both upright or both wide, else as inside. Without it, one given side never enlarges.',
    values: oneOf(['cover', 'contain', 'fill', 'inside', 'outside', 'scale-down', 'crop', 'auto']),
    leftOut: undefined,
    default: 'cover',
    form: {
      label: 'Fit',
      unset: 'Original fit',
      choices: {
        cover: 'Cover: fill the box, crop',
        contain: 'Contain: show all, pad',
        fill: 'Fill: stretch',
        inside: 'Inside: largest that fits',
        outside: 'Outside: smallest that covers',
        'scale-down': 'Scale down: fits, never enlarged',
        crop: 'Crop: as cover, never enlarged',
        auto: 'Auto: cover where the shape is alike',
      },
    },
  }),
  gravity: parameter({
    name: 'gravity',
    meaning:
      'What stays when cropping, and where the image lies when padding: a side or corner, the faces, or what draws the eye.',
    values: oneOf([
      'center',
      'face',
      'auto',
      'north',
      'northeast',
      'east',
      'southeast',
      'south',
      'southwest',
      'west',
      'northwest',
    ]),
    leftOut: 'center',
    default: 'center',
    form: {
      label: 'Crop focus',
      unset: 'Centre',
      choices: {
        auto: 'What draws the eye',
        face: 'Faces',
        north: 'Top',
        northeast: 'Top right',
        east: 'Right',
        southeast: 'Bottom right',
        south: 'Bottom',
        southwest: 'Bottom left',
        west: 'Left',
        northwest: 'Top left',
      },
    },
  }),
  focal: parameter({
    name: 'focal',
    meaning:
      'The place of the source that stays when cropping, in the place of gravity: from 0,0 (left, top) to 1,1 (right, bottom).',
    values: place,
    leftOut: undefined,
    default: 'as gravity says',
    form: { label: 'Place to keep', unset: 'x,y from 0 to 1' },
  }),
  region: parameter({
    name: 'crop',
    meaning:
      'The part of the source that is taken, before all else; w, h and fit are of that part. What lies outside of the source is left off. Where width and height alone are given, gravity or focal says where it lies.',
    values: sourceBox,
    leftOut: undefined,
    default: 'all of it',
    form: { label: 'Part of the source', unset: 'left,top,width,height' },
  }),
  trim: parameter({
    name: 'trim',
    meaning:
      'Takes away what surrounds the image in one colour, that of its left upper corner: how much of 255 a pixel may differ from it. A colour behind it is looked for in the place of that; h, v or hv takes as much away on both sides. Not together with crop.',
    values: trimming,
    leftOut: undefined,
    default: 'nothing is taken away',
    form: { label: 'Trim the border', unset: '10, or 10,fff' },
  }),
  isThumbnail: parameter({
    name: 'thumbnail',
    meaning:
      'Whether the thumbnail that is stored in an AVIF or a HEIC is taken in the place of the image, where it has one.',
    values: flag,
    leftOut: false,
    default: '0',
    form: { label: 'From the stored thumbnail', rest: 0 },
  }),
  isUpright: parameter({
    name: 'auto_rotate',
    meaning:
      'Whether the image is turned as the file says that it was held (EXIF Orientation), before all else; with 0 it is taken as its pixels are stored.',
    values: flag,
    leftOut: true,
    default: '1',
    form: { label: 'As it was held', rest: 1 },
  }),
  flip: parameter({
    name: 'flip',
    meaning:
      'Mirrors the image before it is turned or cut: h left to right, v upside down, hv both. Sides that gravity names are those of the mirrored image.',
    values: oneOf(['h', 'v', 'hv']),
    leftOut: undefined,
    default: 'none',
    form: {
      label: 'Mirror',
      unset: 'Not at all',
      choices: { h: 'Left to right', v: 'Upside down', hv: 'Both' },
    },
  }),
  rotate: parameter({
    name: 'rotate',
    meaning:
      'Turns the image clockwise, after flip. w, h, and sides that gravity names are of the turned image. What is turned by a quarter does not move.',
    values: oneOf(['90', '180', '270']),
    leftOut: undefined,
    default: 'not at all',
    form: {
      label: 'Turn',
      unset: 'Not at all',
      choices: { 90: 'To the right', 180: 'Upside down', 270: 'To the left' },
    },
  }),
} as const
