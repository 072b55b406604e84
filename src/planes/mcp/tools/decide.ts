import { acceptedContent, inputRequired } from '@modelcontextprotocol/server'
import { z } from 'zod'

import type { Done } from '../invoke/perform.ts'
import type { Refusal } from '../invoke/refusal.ts'
import { type Plan, questionOf } from './confirmation.ts'
import { refusedResult, resultOf } from './result.ts'
import type { ToolCall, ToolResult } from './tool.ts'

interface Asked {
  readonly plan: Plan
  readonly title: string
  /** What the call brought as agreed to. */
  readonly confirm: unknown
  /** Says what would be done. */
  readonly dryRun: () => Promise<Done | Refusal>
}

const agreement = z.object({
  confirm: z.boolean().meta({ title: 'Do it', description: 'Nothing is done without it' }),
})
const key = 'agreement'

/**
 * Whether a person agreed to what the dry run shows. Where the client can ask one, the call waits for it; where it
 * cannot, the plan is the result, with a handle that carries it out.
 */
export async function decide(asked: Asked, call: ToolCall): Promise<ToolResult | 'go on'> {
  const { plan, confirm } = asked
  const { confirmations, canElicit, context } = call
  if (confirm !== undefined)
    return confirmations.isGood(confirm, plan) ? 'go on' : await showPlan(asked, call, stale)
  const { inputResponses } = context.mcpReq
  if (inputResponses?.[key] === undefined)
    return canElicit ? await question(asked, call) : await showPlan(asked, call, unasked)
  const isSamePlan = confirmations.isGood(context.mcpReq.requestState(), plan)
  if (!isSamePlan) return await question(asked, call)
  const isAgreed = acceptedContent(inputResponses, key, agreement)?.confirm === true
  return isAgreed ? 'go on' : declined
}

const unasked =
  'Nothing was done. Show a person this plan; once they agree, call again with the same input and this confirm.'
const stale =
  'Nothing was done: confirm is of another input, or older than ten minutes. This is the plan of now.'

const declined: ToolResult = {
  isError: true,
  content: [{ type: 'text', text: 'Nothing was done: the person did not agree.' }],
}

async function showPlan(
  { plan, dryRun }: Asked,
  { confirmations }: ToolCall,
  note: string,
): Promise<ToolResult> {
  const outcome = await dryRun()
  if (outcome.isRefused) return refusedResult(outcome)
  return resultOf({ ...outcome.body, confirm: confirmations.mint(plan) }, note)
}

async function question(
  { plan, title, dryRun }: Asked,
  { confirmations }: ToolCall,
): Promise<ToolResult> {
  const outcome = await dryRun()
  if (outcome.isRefused) return refusedResult(outcome)
  return inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: questionOf(title, { ...plan.input, Result: outcome.body }),
        requestedSchema: agreement,
      }),
    },
    requestState: confirmations.mint(plan),
  })
}
