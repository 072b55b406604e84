import { z } from 'zod'

import type { DomainProof } from '../../domain/content/domains/domain-proof.ts'
import { type DomainRecord, sslStatuses } from '../../ports/records/domain.ts'

export const domain = z.object({
  Zone: z.string(),
  Hostname: z.string(),
  SslStatus: z.enum(sslStatuses),
  SslError: z
    .string()
    .nullable()
    .describe('What was looked up and found, what to set, and when the next try is'),
  SslExpires: z.iso.datetime().nullable().describe('Until when the certificate is good'),
  SslNextCheck: z.iso.datetime(),
  Verified: z
    .boolean()
    .describe(
      'Whether it is known that the name is the zone’s to use; until then nothing is served',
    ),
  Verification: z
    .object({ Type: z.literal('TXT'), Name: z.string(), Value: z.string() })
    .describe('The DNS record that shows it'),
  CnameTarget: z
    .string()
    .nullable()
    .describe(
      'What the CNAME record of the name must point to; `null` until `CNAME_TARGET` or `BASE_URL` is set',
    ),
  HttpsRedirect: z.boolean().describe('Whether who comes by http is sent to https'),
  DateCreated: z.iso.datetime(),
  DateModified: z.iso.datetime(),
})

export const allDomains = z.object({
  Domains: z.array(domain).describe('By host name'),
  Next: z.string().nullable().describe('`after` of the next page; null at the end'),
})

export const domainDetail = domain.extend({
  SslHistory: z
    .array(
      z.object({
        At: z.iso.datetime(),
        SslStatus: z.enum(sslStatuses),
        SslError: z.string().nullable(),
      }),
    )
    .describe('Former states, oldest first'),
})

export const domainChanged = domain.extend({
  HttpCode: z.literal(201),
  Message: z.string(),
  Note: z.string(),
})

export const domainAllowed = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Hostname: z.string(),
})

export const domainRemoved = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Zone: z.string(),
  Hostname: z.string(),
})

/** What DNS has to say of a name. */
interface DnsRecords {
  readonly proof: DomainProof
  readonly cnameTarget: string | undefined
}

export const domainJson = (
  record: DomainRecord,
  { proof: { name, value }, cnameTarget }: DnsRecords,
): z.infer<typeof domain> => ({
  Zone: record.zone,
  Hostname: record.hostname,
  SslStatus: record.sslStatus,
  SslError: errorAnswer(record),
  SslExpires: record.certificateExpiresAt?.toISOString() ?? null,
  SslNextCheck: record.nextCheckAt.toISOString(),
  Verified: record.isProven,
  Verification: { Type: 'TXT', Name: name, Value: value },
  CnameTarget: cnameTarget ?? null,
  HttpsRedirect: record.redirectsToHttps,
  DateCreated: record.createdAt.toISOString(),
  DateModified: record.updatedAt.toISOString(),
})

export const domainDetailJson = (
  record: DomainRecord,
  records: DnsRecords,
): z.infer<typeof domainDetail> => ({
  ...domainJson(record, records),
  SslHistory: record.history.map(({ at, sslStatus, sslError }) => ({
    At: at.toISOString(),
    SslStatus: sslStatus,
    SslError: sslError ?? null,
  })),
})

const errorAnswer = ({ sslError, nextCheckAt }: DomainRecord): string | null =>
  sslError === undefined
    ? null
    : `${sslError.replace(/\.?$/u, '.')} Next try: ${nextCheckAt.toISOString()}.`
