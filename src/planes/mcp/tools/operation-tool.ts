import type { JsonSchema } from '../../../http/openapi/json-schema.ts'
import type { Operation } from '../../../http/operation.ts'
import { operationOf } from '../invoke/operations-by-id.ts'
import { type Done, perform } from '../invoke/perform.ts'
import type { Refusal } from '../invoke/refusal.ts'
import { decide } from './decide.ts'
import { withProgress } from './progress.ts'
import { outcomeOf, refusedResult } from './result.ts'
import { mayWriteLive, performAt, type Target, targetOf } from './target.ts'
import type { Tool, ToolCall, ToolResult } from './tool.ts'
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.ts'

interface Spec {
  readonly id: string
  /** What it does to what is stored. A `post` that only looks says so. */
  readonly effect?: 'reads' | 'writes' | 'destroys'
  /** Where it writes: to a preview unless live is said, or to what is live and nothing else. */
  readonly writesTo?: 'preview' | 'live'
  /** When a person has to agree: before it changes what is live, or always. */
  readonly asks?: 'where live' | 'always'
  readonly without?: readonly string[]
  /** What an agent has to know besides what the operation says. */
  readonly advice?: string
}

const words: Readonly<Record<'preview' | 'live' | 'dry_run' | 'confirm', JsonSchema>> = {
  preview: {
    type: 'string',
    description:
      'The preview that is written to; left out: `agent`, which is made where it is not there',
  },
  live: {
    type: 'boolean',
    description: 'Write to what everybody sees; a token needs the scope agents:live for it',
  },
  dry_run: { type: 'boolean', description: 'Say what would be done, and do nothing' },
  confirm: {
    type: 'string',
    description:
      'The `confirm` of a former call with the same input, once a person has agreed to what it showed',
  },
}

/** A tool that is an operation: its name, schemas and scope are read from it. */
export function operationTool(spec: Spec): Tool {
  const operation = operationOf(spec.id)
  const { effect = operation.method === 'get' ? 'reads' : 'writes' } = spec
  return {
    name: snakeCase(operation.id),
    title: operation.summary,
    description: describe(operation, spec),
    operation,
    input: inputSchemaOf(operation, {
      without: spec.without ?? [],
      also: membersOf(operation, { ...spec, effect }),
    }),
    output: outputSchemaOf(operation, spec.asks === undefined ? {} : { confirm: handle }),
    annotations: annotationsOf(operation, effect),
    run: (call) => run({ operation, ...spec }, call),
  }
}

/** What a tool takes besides what its operation does. */
function membersOf(operation: Operation, { effect, writesTo, asks }: Spec) {
  return {
    ...(writesTo === 'preview' && { preview: words.preview, live: words.live }),
    ...(effect === 'reads' && takes('preview', operation) && { preview: previewRead }),
    ...(takes('dry_run', operation) && { dry_run: words.dry_run }),
    ...(asks !== undefined && { confirm: words.confirm }),
  }
}

const annotationsOf = ({ method }: Operation, effect: Spec['effect']) => ({
  readOnlyHint: effect === 'reads',
  destructiveHint: effect === 'destroys',
  idempotentHint: effect === 'reads' || ['put', 'patch', 'delete'].includes(method),
  openWorldHint: false,
})

const handle: JsonSchema = {
  type: 'string',
  description: 'Nothing was done yet: send it back once a person has agreed',
}
const previewRead: JsonSchema = {
  type: 'string',
  description: 'The preview that is read; left out: what everybody sees',
}

const snakeCase = (id: string): string =>
  id.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)

const takes = (name: string, { query }: Operation): boolean =>
  name in ((query as { readonly shape?: object } | undefined)?.shape ?? {})

function describe({ summary, description, access }: Operation, { advice, asks }: Spec): string {
  const scope = access === 'public' ? undefined : access.scope
  return [
    `${summary}.`,
    description,
    advice,
    asks === undefined ? undefined : 'A person is asked before it is done.',
    scope === undefined ? undefined : `Scope of the token: ${scope}.`,
  ]
    .filter((each) => each !== undefined)
    .join(' ')
}

async function run(
  spec: Spec & { readonly operation: Operation },
  call: ToolCall,
): Promise<ToolResult> {
  const { operation } = spec
  const { confirm, live: _, dry_run: isDryRun, preview, ...members } = call.input
  if (spec.writesTo === undefined)
    return await runWithout(
      spec,
      { ...members, ...(takes('preview', operation) && { preview }) },
      call,
    )
  const target = spec.writesTo === 'live' ? liveAlone(call) : targetOf(call.input, call.agent)
  if ('isRefused' in target) return refusedResult(target)
  const at = (more: object) => () =>
    performAt(target, { operation, input: { members: { ...members, ...more } } }, call)
  return await runAt({ spec, target, isDryRun: isDryRun === true, confirm }, at, call)
}

/** What writes to nothing that could be a preview: reading, and what is done to caches or previews themselves. */
async function runWithout(
  spec: Spec & { readonly operation: Operation },
  { ...members }: Readonly<Record<string, unknown>>,
  call: ToolCall,
): Promise<ToolResult> {
  const { operation } = spec
  const { confirm, dry_run: isDryRun } = call.input
  const at = (more: object) => () => perform(operation, { members: { ...members, ...more } }, call)
  const step = { spec, target: { kind: 'live' } as const, isDryRun: isDryRun === true, confirm }
  return await runAt(step, at, call)
}

const liveAlone = ({ agent }: ToolCall): Target | Refusal => mayWriteLive(agent) ?? { kind: 'live' }

interface Step {
  readonly spec: Spec & { readonly operation: Operation }
  readonly target: Target
  readonly isDryRun: boolean
  readonly confirm: unknown
}

type At = (more: object) => () => Promise<Done | Refusal>

async function runAt(
  { spec, target, isDryRun, confirm }: Step,
  at: At,
  call: ToolCall,
): Promise<ToolResult> {
  const dryRun = { dry_run: true }
  if (isDryRun) return outcomeOf(await at(dryRun)())
  const mustAsk = spec.asks === 'always' || (spec.asks === 'where live' && target.kind === 'live')
  if (mustAsk) {
    const tool = snakeCase(spec.operation.id)
    const plan = { tool, credentialId: call.agent.credential.id, input: inputOf(call) }
    const asked = { plan, title: spec.operation.summary, confirm, dryRun: at(dryRun) }
    const decision = await decide(asked, call)
    if (decision !== 'go on') return decision
  }
  return outcomeOf(await withProgress(call.context, spec.operation.summary, at({})))
}

/** What a plan is bound to. */
function inputOf({ input }: ToolCall): ToolCall['input'] {
  const { confirm: _, ...rest } = input
  return rest
}
