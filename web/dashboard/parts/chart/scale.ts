/** A round number that no value is above; its half is as round. */
export function scaleTop(most: number): number {
  if (most <= 0) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 4, 10].find((digit) => digit * power >= most) ?? 10) * power
}

/** The same of bytes, in the units that people read them in. */
export function byteScaleTop(most: number): number {
  const unit = 1024 ** Math.max(0, Math.floor(Math.log(Math.max(1, most)) / Math.log(1024)))
  return scaleTop(most / unit) * unit
}

/** The same of what is counted: never half of one. */
export const countScaleTop = (most: number): number => Math.max(2, scaleTop(most))
