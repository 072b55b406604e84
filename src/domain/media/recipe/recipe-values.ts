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

/** As callers spell them: whatever metadata lists as available is among them. */
export const requestedFormats = [
  'webp',
  'avif',
  'png',
  'jpeg',
  'jpg',
  'gif',
  'svg',
  'auto',
] as const
type RequestedFormat = (typeof requestedFormats)[number]
export type WantedFormat = Exclude<RequestedFormat, 'jpg'>

export const wantedFormatOf = (format: RequestedFormat): WantedFormat =>
  format === 'jpg' ? 'jpeg' : format

export const maxSide = 8192
export const defaultQuality = 80
/** What `Save-Data: on` lowers the quality to where the caller asked for none. */
export const savingQuality = 60
