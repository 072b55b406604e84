export const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const
export type Fit = (typeof fits)[number]

const compassPoints = [
  'north',
  'northeast',
  'east',
  'southeast',
  'south',
  'southwest',
  'west',
  'northwest',
] as const
export const gravities = ['center', 'face', 'auto', ...compassPoints] as const
export type Gravity = (typeof gravities)[number]

export const requestedFormats = ['webp', 'avif', 'png', 'jpeg', 'auto'] as const
export type RequestedFormat = (typeof requestedFormats)[number]

export const maxSide = 8192
export const defaultQuality = 80
/** What `Save-Data: on` lowers the quality to where the caller asked for none. */
export const savingQuality = 60
