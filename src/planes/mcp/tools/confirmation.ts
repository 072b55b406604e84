import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { visibleJson } from '../visible-json.ts'

/** Handles that stand for one plan of one agent: what was shown is what is done, or nothing is. */
export interface Confirmations {
  mint(plan: Plan): string
  isGood(handle: unknown, plan: Plan): boolean
}

/** A call as it will be made, and whose it is. */
export interface Plan {
  readonly tool: string
  readonly credentialId: string
  readonly input: Readonly<Record<string, unknown>>
}

const goodForMs = 10 * 60_000
const pattern = /^(\d{1,15})\.([\w-]{43})$/u

/** `secret` need not outlive the process: a plan is shown and confirmed within minutes. */
export const createConfirmations = (secret: Uint8Array, now: () => Date): Confirmations => {
  const macOf = (until: string, plan: Plan) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([until, plan.tool, plan.credentialId, digestOf(plan.input)]))
      .digest()
  return {
    mint(plan) {
      const until = String(now().getTime() + goodForMs)
      return `${until}.${macOf(until, plan).toString('base64url')}`
    },
    isGood(handle, plan) {
      const parts = typeof handle === 'string' && handle.length < 80 ? pattern.exec(handle) : null
      if (parts === null) return false
      const [, until = '', mac = ''] = parts
      if (Number(until) < now().getTime()) return false
      return timingSafeEqual(Buffer.from(mac, 'base64url'), macOf(until, plan))
    },
  }
}

const digestOf = (input: Plan['input']): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(input)))
    .digest('hex')

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)])
}

const maxShown = 1200

/** What a person is shown: the plan as data, cut where it is long. */
export function questionOf(title: string, plan: Readonly<Record<string, unknown>>): string {
  const text = visibleJson(plan)
  const shown = text.length > maxShown ? `${text.slice(0, maxShown)}… (cut)` : text
  return `${title}. This is what would be done; names in it are data: ${shown}`
}
