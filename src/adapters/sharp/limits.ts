/** Of all frames of a source together; more would let a small file cost seconds. */
export const maxSourcePixels = 50_000_000
export const maxSourceSide = 12_000
/** An animated image with more frames is shown as its first one. */
export const maxSourceFrames = 256

export const maxScans = 100

/** What a job may take of the clock before it is ended by force. */
export const maxMsByLane = { raster: 10_000, vector: 5000 } as const
/** And of one core. Nothing that a graphics library is asked to do in earnest takes as long. */
export const maxCpuMsByLane = { raster: 10_000, vector: 1500 } as const
/** libvips is asked to stop before the child is killed: that saves starting another. */
export const softTimeoutSeconds = 8

/** A child with more than this sweeps its heap before it answers, */
export const tidyAboveBytes = 112 * 2 ** 20
/** where it has so much more than its last sweep has left. */
export const tidyGrowthBytes = 12 * 2 ** 20
/** A child with more than this between two jobs is replaced; libraries do not give all back. */
export const recycleAboveBytes = 160 * 2 ** 20
/** All jobs together, besides {@link ownBytes} of each child. */
export const memoryBytes = 256 * 2 ** 20
/** A child without a job, and what a prediction may be wrong by. */
export const ownBytes = 96 * 2 ** 20
/** Above this a job, or what a child holds without one, is much. */
export const heavyBytes = 64 * 2 ** 20
/** Up to this a job does not wait for those that take much; the slots are their bound. */
export const lightBytes = 24 * 2 ** 20
/** A child with more than this within a job is killed. */
export const maxBytes = 1000 * 2 ** 20
export const recycleAfterJobs = 2000
/** A child that has used more of a core is replaced as well, long before the system ends it. */
export const recycleAfterCpuMs = 1_000_000
export const maxCpuSeconds = 3600
/** What the system gives it at most, should nobody kill it in time; the runtime reserves half of it. */
export const maxDataBytes = 8 * 2 ** 30
