import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
  ToolAnnotations,
} from '@modelcontextprotocol/server'

import type { JsonSchema } from '../../../http/openapi/json-schema.ts'
import type { Operation } from '../../../http/operation.ts'
import type { Agent } from '../agent.ts'
import type { Send } from '../invoke/perform.ts'
import type { Confirmations } from './confirmation.ts'

/** One call of a tool. */
export interface ToolCall {
  readonly input: Readonly<Record<string, unknown>>
  readonly agent: Agent
  readonly send: Send
  readonly signal: AbortSignal
  readonly context: ServerContext
  /** Whether a person can be asked while the call waits. */
  readonly canElicit: boolean
  readonly confirmations: Confirmations
}

export type ToolResult = CallToolResult | InputRequiredResult

/** What an agent is offered. Names, schemas and scopes are those of `operation`. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operation: Operation
  readonly input: JsonSchema
  /** Absent where the result is a file. */
  readonly output?: JsonSchema
  readonly annotations: ToolAnnotations
  run(call: ToolCall): Promise<ToolResult>
}
