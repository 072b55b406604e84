import { z } from 'zod'

import { booleanFlag } from '../http/request/query.ts'

/**
 * A dry run checks a request and changes nothing. Every operation that has one takes it in the query
 * and in the body, in either spelling: whoever asks for one must not change anything by a slip.
 */
export const dryRunQuery = {
  dry_run: booleanFlag('Check the request and change nothing').optional(),
  dryRun: booleanFlag('The same as `dry_run`').optional(),
}

export const dryRunBody = {
  dry_run: z.boolean().optional().describe('Check the request and change nothing'),
  DryRun: z.boolean().optional().describe('The same as `dry_run`'),
}

export const dryRunFields = { dry_run: z.boolean(), DryRun: z.boolean() }

interface Asked {
  readonly dry_run?: boolean | undefined
  readonly dryRun?: boolean | undefined
  readonly DryRun?: boolean | undefined
}

export const isDryRunOf = (...asked: readonly Asked[]): boolean =>
  asked.some((each) => [each.dry_run, each.dryRun, each.DryRun].includes(true))

export const dryRunJson = (isDryRun: boolean) => ({ dry_run: isDryRun, DryRun: isDryRun })
