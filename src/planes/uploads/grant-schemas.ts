import { z } from 'zod'

import { describingEdit, metadataPatch, patchJson } from '../assets/described-fields.ts'

import { isForDirectory } from '../../domain/uploads/grants/granted-path.ts'
import type { GrantRequest } from '../../domain/uploads/grants/grant-request.ts'
import type { ListedUploadGrant } from '../../ports/access/upload-grant-store.ts'

const maxTimes = 10_000
const maxListed = 20

const mediaType = z.string().min(1).max(127)
const origin = z.string().min(1).max(200)

export const grantRequest = z.object({
  Path: z.string().max(1100).nullish().describe('The file that may be stored, `<zone>/v1/…`'),
  Prefix: z
    .string()
    .max(1100)
    .nullish()
    .describe('Or the directory below which the uploader names the file'),
  MaxBytes: z.int().min(1).nullish().describe('How large a file may be; else as any other'),
  Types: z
    .array(mediaType)
    .min(1)
    .max(maxListed)
    .nullish()
    .describe(
      'Media types and ranges of them, e.g. `image/*`; the bytes decide. Any where left out',
    ),
  Times: z.int().min(1).max(maxTimes).default(1).describe('How many files may be stored'),
  ExpiresAt: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe('At most seven days ahead; in an hour where left out'),
  Overwrite: z.boolean().default(false).describe('Whether a file that is there may be replaced'),
  Metadata: metadataPatch
    .nullish()
    .describe('What is to be known of each file, as for `PATCH /api/assets/metadata`'),
  Origins: z
    .array(origin)
    .min(1)
    .max(maxListed)
    .nullish()
    .describe('The origins whose pages may use it, e.g. `https://www.example.com`; else of any'),
})

export const grantSchema = z.object({
  Id: z.string(),
  Zone: z.string(),
  Path: z.string().nullable(),
  Prefix: z.string().nullable(),
  MaxBytes: z.int().nullable(),
  Types: z.array(z.string()).nullable(),
  Origins: z.array(z.string()).nullable(),
  Times: z.int(),
  Stored: z.int().describe('How many files were stored with it'),
  InProgress: z.int().describe('Uploads that have begun and hold a use'),
  Overwrite: z.boolean(),
  Metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What is to be known of each file, as it was asked for'),
  CreatedBy: z.string(),
  DateCreated: z.iso.datetime(),
  ExpiresAt: z.iso.datetime(),
})

export const createdGrant = z.object({
  HttpCode: z.literal(201),
  Message: z.string(),
  Id: z.string(),
  Url: z.string().describe('Takes the file by `PUT`, or from a form; not to be had again'),
  TusUrl: z.string().describe('The same for clients of tus'),
  ResumableUrl: z.string().describe('The same for Resumable Uploads for HTTP'),
  Grant: grantSchema,
})

export const grantList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Grants: z.array(grantSchema).describe('The newest first'),
  Pagination: z.object({
    Page: z.int(),
    PerPage: z.int(),
    TotalItems: z.int(),
    TotalPages: z.int(),
  }),
})

export const revokedGrant = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Id: z.string(),
})

export const grantRequestOf = (body: z.output<typeof grantRequest>): GrantRequest => ({
  path: body.Path ?? undefined,
  prefix: body.Prefix ?? undefined,
  maxBytes: body.MaxBytes ?? undefined,
  types: body.Types ?? undefined,
  origins: body.Origins ?? undefined,
  times: body.Times,
  overwrites: body.Overwrite,
  expiresAt: body.ExpiresAt == null ? undefined : new Date(body.ExpiresAt),
  metadata: body.Metadata == null ? undefined : describingEdit(body.Metadata),
})

export const grantJson = (grant: ListedUploadGrant): z.input<typeof grantSchema> => ({
  Id: grant.id,
  Zone: grant.zone,
  Path: isForDirectory(grant.path) ? null : grant.path,
  Prefix: isForDirectory(grant.path) ? grant.path : null,
  MaxBytes: grant.maxBytes ?? null,
  Types: grant.types === undefined ? null : [...grant.types],
  Origins: grant.origins === undefined ? null : [...grant.origins],
  Times: grant.times,
  Stored: grant.storedCount,
  InProgress: grant.openCount,
  Overwrite: grant.overwrites,
  Metadata: grant.metadata === undefined ? null : patchJson(grant.metadata),
  CreatedBy: grant.createdBy,
  DateCreated: grant.createdAt.toISOString(),
  ExpiresAt: grant.expiresAt.toISOString(),
})
