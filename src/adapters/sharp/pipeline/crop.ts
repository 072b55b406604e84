import type { Step } from './step.ts'

export const crop: Step = (image, job) => (job.crop ? image.extract(job.crop) : image)
