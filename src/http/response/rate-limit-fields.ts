import { ServiceError } from '../../domain/errors.ts'

/** How a limit stands for one caller right now. */
export interface RateLimitState {
  /** The row of the table, e.g. `search`. */
  readonly name: string
  readonly quota: number
  readonly windowSeconds: number
  readonly remaining: number
  /** Until the quota is whole again. */
  readonly resetSeconds: number
}

/** The header fields of draft-ietf-httpapi-ratelimit-headers-11: structured-field lists. */
export const rateLimitHeaders = (
  ...states: readonly RateLimitState[]
): Readonly<Record<string, string>> =>
  states.length === 0
    ? {}
    : {
        'RateLimit-Policy': states
          .map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
          .join(', '),
        RateLimit: states
          .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
          .join(', '),
      }

/** The refusal whose headers {@link readRateLimitState} can fill in; also for quotas kept elsewhere. */
export const limitReached = (state: RateLimitState): ServiceError =>
  new ServiceError(
    'limit_reached',
    `the limit of ${state.quota} is used up; try again in ${state.resetSeconds} seconds`,
    { context: { limit: state } },
  )

const unknownState: RateLimitState = {
  name: 'default',
  quota: 1,
  windowSeconds: 60,
  remaining: 0,
  resetSeconds: 60,
}

/** The `limit` member of an error's context; what it leaves out is filled in cautiously. */
export function readRateLimitState(value: unknown): RateLimitState {
  if (typeof value !== 'object' || value === null) return unknownState
  const { name, quota, windowSeconds, remaining, resetSeconds } = value as Partial<RateLimitState>
  return {
    name: typeof name === 'string' && /^[\w.-]+$/u.test(name) ? name : unknownState.name,
    quota: wholeNumber(quota) ?? unknownState.quota,
    windowSeconds: wholeNumber(windowSeconds) ?? unknownState.windowSeconds,
    remaining: wholeNumber(remaining) ?? 0,
    resetSeconds: wholeNumber(resetSeconds) ?? unknownState.resetSeconds,
  }
}

const wholeNumber = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined
