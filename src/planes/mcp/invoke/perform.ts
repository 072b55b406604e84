import type { Operation } from '../../../http/operation.ts'
import type { Agent } from '../agent.ts'
import { operationRequest, type OperationInput } from './operation-request.ts'
import { type Refusal, refusal, refusalOf } from './refusal.ts'

/** Asks the interface of this service, as if the agent had: the same checks, bounds and logs. */
export type Send = (request: Request, peerAddress: string) => Promise<Response>

/** On whose behalf the interface is asked, and until when somebody waits for it. */
export interface Asking {
  readonly agent: Agent
  readonly send: Send
  readonly signal: AbortSignal
}

export interface Done {
  readonly isRefused: false
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** What is handed to an agent as a whole; larger is refused, so that nobody reads half of a list for all of it. */
const maxResultBytes = 2 ** 20

/** One call of an operation that responds with JSON. Never throws for what the operation refuses. */
export async function perform(
  operation: Operation,
  input: OperationInput,
  asking: Asking,
): Promise<Done | Refusal> {
  const response = await performRaw(operation, input, asking)
  if ('isRefused' in response) return response
  const text = await response.text()
  if (text.length > maxResultBytes)
    return refusal(413, 'PayloadTooLarge', 'that is too much for one response; ask for fewer')
  const body = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
  return { isRefused: false, status: response.status, body }
}

/** The same of an operation that responds with bytes. */
export async function performRaw(
  operation: Operation,
  input: OperationInput,
  asking: Asking,
): Promise<Response | Refusal> {
  const request = operationRequest(operation, input, asking)
  if ('isRefused' in request) return request
  const response = await asking.send(request, asking.agent.peerAddress)
  return response.ok ? response : await refusalOf(response)
}
