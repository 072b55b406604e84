import { z } from 'zod'

import { similarToUpload } from '../assets/similar-assets.ts'
/** 25 MB: the largest file a client may store. */
export const maxFileBytes = 26_214_400

export const storagePathParams = z.object({
  path: z.string().describe('`clients/<zone>/v1/…`; the `clients/` may be left out'),
})

export const edgeFields = {
  EdgeStatus: z.enum(['pending', 'purging']),
  EdgeNote: z.string(),
}

export const uploadResponse = z.object({
  HttpCode: z.literal(201),
  Message: z.string(),
  Path: z.string(),
  Length: z.int().describe('Bytes'),
  Checksum: z.string().nullable().describe('The SHA-256, where the request sent one'),
  DateCreated: z.iso.datetime(),
  ...edgeFields,
  Similar: similarToUpload,
})

export const deleteResponse = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Path: z.string(),
  ...edgeFields,
})

export const batchResponse = z.object({
  HttpCode: z.literal(201),
  Message: z.string(),
  Commit: z.string(),
  Files: z.array(z.string()),
  DateCreated: z.iso.datetime(),
  ...edgeFields,
  Similar: z.array(similarToUpload).describe('Of each of the `Files`, by its place'),
})

export const fileEntry = z.object({
  Guid: z.uuid(),
  StorageZoneName: z.string(),
  Path: z.string().describe('The directory, with a slash at both ends'),
  ObjectName: z.string(),
  Length: z.int().describe('Bytes; 0 for a directory'),
  LastChanged: z.iso.datetime(),
  ServerId: z.literal(0),
  ArrayNumber: z.literal(0),
  IsDirectory: z.boolean(),
  UserId: z.string(),
  ContentType: z.string().describe('Empty for a directory'),
  DateCreated: z.iso.datetime(),
  StorageZoneId: z.literal(0),
  Checksum: z.string().nullable().describe('SHA-256 in hex; null for a directory'),
  ReplicatedZones: z.string(),
})

export const directoryListing = z.array(fileEntry)
