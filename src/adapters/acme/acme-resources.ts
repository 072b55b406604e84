import { z } from 'zod'

import type { AcmeResponse } from './acme-problem.ts'

/** What is read of an authority's resources (RFC 8555 §7.1). All throw where an answer is none such. */
const directory = z.object({
  newNonce: z.string(),
  newAccount: z.string(),
  newOrder: z.string(),
  revokeCert: z.string(),
  /** RFC 9773. */
  renewalInfo: z.string().optional(),
})
export type Directory = z.infer<typeof directory>

const order = z.object({
  status: z.string(),
  authorizations: z.array(z.string()).max(100),
  finalize: z.string(),
  certificate: z.string().optional(),
  error: z.unknown().optional(),
})
export type Order = z.infer<typeof order>

const challenge = z.object({
  type: z.string(),
  url: z.string(),
  /** Of the alphabet that a path may hold (RFC 8555 §8.3). */
  token: z
    .string()
    .regex(/^[\w-]+$/u)
    .max(1_000)
    .optional(),
  error: z.unknown().optional(),
})

const authorization = z.object({ status: z.string(), challenges: z.array(challenge).max(100) })
export type Authorization = z.infer<typeof authorization>

const renewalInfo = z.object({
  suggestedWindow: z.object({
    start: z.iso.datetime({ offset: true }),
    end: z.iso.datetime({ offset: true }),
  }),
})

export const directoryIn = ({ data }: AcmeResponse): Directory =>
  read(directory, data, 'a directory')
export const orderIn = ({ data }: AcmeResponse): Order => read(order, data, 'an order')
export const authorizationIn = ({ data }: AcmeResponse): Authorization =>
  read(authorization, data, 'an authorization')
export const chainIn = ({ data }: AcmeResponse): string => read(z.string(), data, 'a certificate')
/** The address of what was made. */
export const locationOf = ({ headers }: AcmeResponse): string =>
  read(z.string(), headers['location'], 'the address of what was made')

function read<T>(schema: z.ZodType<T>, data: unknown, what: string): T {
  const parsed = schema.safeParse(data)
  if (!parsed.success) throw new Error(`its answer is not ${what}`, { cause: parsed.error })
  return parsed.data
}

/** When a certificate should be renewed (RFC 9773 §4.2); `undefined` where that cannot be read. */
export function renewalWindowIn({ data }: AcmeResponse): Window | undefined {
  const { success, data: info } = renewalInfo.safeParse(data)
  if (!success) return undefined
  const { start, end } = info.suggestedWindow
  return { start: new Date(start), end: new Date(end) }
}

interface Window {
  readonly start: Date
  readonly end: Date
}
