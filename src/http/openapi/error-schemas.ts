import { z } from 'zod'
import { errorCodes } from '../../domain/errors.ts'

const detail = z.object({
  code: z.enum(errorCodes).optional(),
  target: z.string(),
  message: z.string(),
  text: z.string().optional().describe('Of a rule file: the line'),
})

/** A path with the SHA-256 that each side has; null where it has no file. */
const conflict = z.object({
  Path: z.string(),
  Reason: z.string(),
  Live: z.string().nullable(),
  Preview: z.string().nullable(),
  Base: z.string().nullable().describe('What both began with'),
})

const common = {
  HttpCode: z.int().describe('The status'),
  requestId: z.uuid(),
  timestamp: z.iso.datetime(),
  apiVersion: z.string(),
}

/** What some refusals say besides. */
const further = {
  MaxSize: z.int().optional().describe('Bytes that the body may have'),
  Used: z.int().optional().describe('How much of the limit is used'),
  MaxLength: z.int().optional().describe('Characters that the URL may have'),
  SupportedVersions: z.array(z.string()).optional().describe('What `X-API-Version` may be'),
  Limit: z.int().optional().describe('How many there may be'),
  Size: z.int().optional().describe('Bytes that there are, of which none is in the range'),
  Offset: z.int().optional().describe('How many bytes of the upload are there'),
  Provided: z.int().optional().describe('Where in the upload the request says that it goes on'),
  Expected: z.string().optional().describe('The SHA-256 that the request names'),
  Received: z.string().optional().describe('The SHA-256 of what arrived'),
  Position: z.int().optional().describe('The character of `q` that is at fault, counted from 0'),
  Install: z.string().optional().describe('What to install where the service runs'),
  Cost: z.int().optional().describe('Milliseconds of a processor that the image would take'),
  MaxCost: z.int().optional().describe('How many of them one may take'),
  Conflicts: z
    .array(conflict)
    .optional()
    .describe('The paths that live and a preview both changed; at most 1,000 of them'),
  invalid: z.array(z.unknown()).optional().describe('The items that are at fault'),
}

/** Both shapes a refusal can have. */
export const errorSchemas = {
  standard: z.object({
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
    ...further,
  }),
  flat: z.object({
    error: z.string().describe('The message; or a code, such as `limit_reached`'),
    Message: z.string().describe('As `error`'),
    message: z.string(),
    code: z.enum(errorCodes),
    detail: z.string(),
    target: z.string().nullable(),
    details: z.array(detail),
    ...common,
    ...further,
  }),
}
