import { z } from 'zod'

import { readBody } from '../../../http/request/body.ts'

/** The JSON of a request, bounded in bytes and depth before it is read. Throws what {@link readBody} does. */
export const readBytesOfJson = (request: Request, maxBytes: number): Promise<unknown> =>
  Promise.resolve(readBody({ kind: 'json', schema: z.unknown(), maxBytes }, request))
