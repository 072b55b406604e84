import type { CallToolResult } from '@modelcontextprotocol/server'

import type { Done } from '../invoke/perform.ts'
import type { Refusal } from '../invoke/refusal.ts'
import { visibleJson } from '../visible-json.ts'

/** The JSON of an operation, for programs and as text in which nothing hides. */
export const resultOf = (
  body: Readonly<Record<string, unknown>>,
  note?: string,
): CallToolResult => ({
  content: [
    ...(note === undefined ? [] : [{ type: 'text' as const, text: note }]),
    { type: 'text', text: visibleJson(body) },
  ],
  structuredContent: body,
})

/** A refusal is something for the agent to act on, not a fault of the protocol. */
export const refusedResult = ({
  status,
  code,
  message,
  target,
  details,
  retryAfterSeconds,
}: Refusal): CallToolResult => ({
  isError: true,
  content: [
    {
      type: 'text',
      // Left out where nothing is to be waited for.
      text: visibleJson({ status, code, message, target, details, retryAfterSeconds }),
    },
  ],
})

export const outcomeOf = (outcome: Done | Refusal): CallToolResult =>
  outcome.isRefused ? refusedResult(outcome) : resultOf(outcome.body)
