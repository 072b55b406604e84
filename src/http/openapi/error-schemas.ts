import { z } from 'zod'
import { errorCodes } from '../../domain/errors.ts'

const detail = z.looseObject({
  target: z.string().optional(),
  message: z.string().optional(),
})

const common = {
  HttpCode: z.int().describe('The status'),
  requestId: z.uuid(),
  timestamp: z.iso.datetime(),
  apiVersion: z.string(),
}

/** Both shapes a refusal can have. Some carry further members, e.g. `MaxSize`. */
export const errorSchemas = {
  standard: z.looseObject({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      target: z.string().nullable().describe('The offending field'),
      details: z.array(detail).describe('One entry a fault'),
      innererror: z.looseObject({}).nullable(),
    }),
    Message: z.string(),
    message: z.string(),
    ...common,
  }),
  flat: z.looseObject({
    error: z.string().describe('The message; or a code, such as `limit_reached`'),
    Message: z.string().describe('As `error`'),
    message: z.string(),
    code: z.enum(errorCodes),
    detail: z.string(),
    target: z.string().nullable(),
    details: z.array(detail),
    ...common,
  }),
}
