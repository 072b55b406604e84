import { z } from 'zod'

import { ruleFileNames } from '../../ports/records/zone.ts'
import { dryRunFields } from '../dry-run.ts'

export const file = z.enum(ruleFileNames)

export const edgeRules = z.object({
  Headers: z.string().nullable().describe('Contents of `_headers`'),
  Redirects: z.string().nullable().describe('Contents of `_redirects`'),
  Transforms: z.string().nullable().describe('Contents of `_transforms`'),
  Editable: z.array(file),
  DateFetched: z.iso.datetime(),
  File: file.optional(),
  Content: z.string().nullable().optional(),
  Zone: z.string().optional().describe('Whose own files they are'),
})

const ruleLine = z.object({
  line: z.int(),
  text: z.string(),
  message: z.string(),
})

export const rulesChanged = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  File: file,
  Zone: z.string().optional(),
  Commit: z.string(),
  EdgeStatus: z.string(),
  EdgeNote: z.string(),
  DateModified: z.iso.datetime(),
  Warnings: z.array(ruleLine),
  ...dryRunFields,
})

const triedRule = z.object({
  file,
  zone: z.string().nullable().describe('Whose file it is in; null where it is for all zones'),
  line: z.int(),
  text: z.string(),
  outcome: z.enum([
    'matched',
    'path-differs',
    'condition-not-met',
    'target-invalid',
    'not-reached',
  ]),
  captures: z.record(z.string(), z.string()),
  overruled: z
    .array(z.string())
    .describe(
      'Fields that it sets or takes away in vain: rules of all zones say what they are, or no zone may',
    ),
})

export const explanation = z.object({
  Url: z.string(),
  Zone: z.string().nullable().describe('The zone that the URL is of'),
  Redirects: z.array(triedRule),
  Action: z
    .union([
      z.object({ kind: z.literal('redirect'), status: z.int(), location: z.string() }),
      z.object({ kind: z.literal('rewrite'), status: z.int(), path: z.string() }),
    ])
    .nullable()
    .describe('What the redirects decide'),
  Headers: z.array(triedRule),
  FieldsBefore: z.array(z.tuple([z.string(), z.string()]).readonly()),
  FieldsAfter: z.array(z.tuple([z.string(), z.string()]).readonly()),
  Transform: z
    .object({
      Name: z.string(),
      Zone: z.string().nullable().describe('Whose file it is in; null where it is for all zones'),
      line: z.int(),
      text: z.string(),
      Parameters: z.array(z.tuple([z.string(), z.string()])),
    })
    .nullable()
    .describe('The named transform that the URL asks for, and all parameters that come of it'),
})
