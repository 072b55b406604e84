import type { StillKind } from '../../../ports/media/still-maker.ts'
import type { Cost } from '../render/costs/cost-model.ts'

/** Milliseconds of one core, the start of a process with them. */
const cpuMsByKind: Readonly<Record<StillKind, number>> = {
  pdf: 500,
  heic: 700,
  jxl: 700,
  psd: 400,
  tiff: 400,
  video: 400,
  audio: 120,
  font: 300,
  thumbnail: 250,
}

export const stillCost = (kind: StillKind): Cost => ({
  kind: `still-${kind}`,
  cpuMs: cpuMsByKind[kind],
})

const mib = 2 ** 20
const maxFileMiB: Readonly<Record<StillKind, number>> = {
  pdf: 100,
  heic: 25,
  jxl: 25,
  psd: 200,
  tiff: 100,
  // Of these a few parts are read.
  video: Infinity,
  audio: Infinity,
  font: 25,
  thumbnail: 25,
}

export const maxFileBytesOf = (kind: StillKind): number => maxFileMiB[kind] * mib
