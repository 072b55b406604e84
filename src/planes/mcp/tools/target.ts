import type { Operation } from '../../../http/operation.ts'
import { type Agent, scopesOf } from '../agent.ts'
import { operationOf } from '../invoke/operations-by-id.ts'
import { type Done, perform } from '../invoke/perform.ts'
import { type Refusal, refusal } from '../invoke/refusal.ts'
import type { OperationInput } from '../invoke/operation-request.ts'
import type { ToolCall } from './tool.ts'

/** Lets what an agent writes be live at once. */
const liveScope = 'agents:live'
/** Where what agents write is, until somebody promotes it. */
const agentPreview = 'agent'

/** What a write is to: what everybody sees, or a preview of one zone. */
export type Target =
  | { readonly kind: 'live' }
  | { readonly kind: 'preview'; readonly zone: string; readonly name: string }

/** Previews are where agents write, unless the token says otherwise and the call does too. */
export function targetOf(input: ToolCall['input'], agent: Agent): Target | Refusal {
  if (input['live'] === true) return liveTarget(input, agent)
  const zones = new Set(pathsIn(input).map(zoneIn))
  const [zone] = zones
  if (zone === undefined || zone === '' || zones.size > 1)
    return refusal(400, 'InvalidParameter', 'a write is to one zone: name paths of one zone alone')
  const { preview } = input
  return { kind: 'preview', zone, name: typeof preview === 'string' ? preview : agentPreview }
}

function liveTarget({ preview }: ToolCall['input'], agent: Agent): Target | Refusal {
  if (preview !== undefined)
    return refusal(400, 'InvalidParameter', 'say either preview or live, not both')
  return mayWriteLive(agent) ?? { kind: 'live' }
}

/** Why an agent may not change what is live; `undefined` where it may. */
export function mayWriteLive(agent: Agent): Refusal | undefined {
  const scopes = scopesOf(agent)
  if (scopes === undefined || scopes.has(liveScope)) return undefined
  return refusal(
    403,
    'InsufficientScope',
    `a token with the scope ${liveScope} is needed to change what is live; without it, write to a preview and have it promoted`,
  )
}

const pathMembers = ['path', 'Path', 'From', 'To'] as const

const pathsIn = (input: ToolCall['input']): readonly string[] =>
  [...pathMembers.map((name) => input[name]), input['Paths']]
    .flat()
    .filter((each) => typeof each === 'string')

/** The first segment, as every path of the interface is spelt. */
const zoneIn = (path: string): string =>
  path
    .slice(0, 4096)
    .replace(/^\/?(?:clients\/)?/u, '')
    .split('/', 1)[0] ?? ''

/** Performs a write where it is to be; a preview that is not there yet is made. */
export async function performAt(
  target: Target,
  { operation, input }: { readonly operation: Operation; readonly input: OperationInput },
  call: ToolCall,
): Promise<Done | Refusal> {
  if (target.kind === 'live') return await perform(operation, input, call)
  const headers = { ...input.headers, 'Sedge-Preview': target.name }
  const outcome = await perform(operation, { ...input, headers }, call)
  if (!outcome.isRefused || outcome.status !== 404) return outcome
  const members = { id: target.zone, Name: target.name }
  const made = await perform(operationOf('createPreview'), { members }, call)
  if (made.isRefused) return made.status === 409 ? outcome : made
  return await perform(operation, { ...input, headers }, call)
}
