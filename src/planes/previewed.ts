import { z } from 'zod'

import type { Actor } from '../domain/access/actor.ts'
import { type AssetPath, zoneOf } from '../domain/content/asset-path.ts'
import { invalid } from '../domain/errors.ts'
import type { Caller } from '../http/operation.ts'
import { actorOf } from './caller.ts'

/** What operations work with, of what is live and of previews. */
export type Previewed<Verbs> = Verbs & {
  readonly ofPreview: (zone: string, name: string, actor: Actor) => Promise<Verbs>
}

interface Asked {
  readonly request: Request
  readonly caller: Caller
  /** Of all that the request names; `undefined` where they are several. */
  readonly zone: string | undefined
}

const field = 'Sedge-Preview'
const parameter = 'preview'

/** For the description of an operation. */
export const previewHeader = {
  [field]: 'The preview of the zone that is meant, instead of what is live',
}
export const previewQuery = {
  [parameter]: z.string().optional().describe(`The same as the header \`${field}\``),
}

/** The name of the preview that a request is about; `undefined` where it is about what is live. */
export function previewNamed({ headers, url }: Request): string | undefined {
  const said = headers.get(field)?.trim()
  const asked = url.includes(`${parameter}=`)
    ? (new URL(url).searchParams.get(parameter) ?? undefined)
    : undefined
  if (said !== undefined && asked !== undefined && said !== asked)
    throw invalid(parameter, `must be what ${field} says`)
  return said ?? asked
}

/** Whether a request is about a preview, or says so in two ways that differ. */
export const isOfPreview = ({ headers, url }: Request): boolean =>
  headers.has(field) || (url.includes(`${parameter}=`) && new URL(url).searchParams.has(parameter))

/** Who may change previews alone may do what is asked of one. */
export const previewScope = {
  name: 'previews:write',
  isMeant: (request: Request): boolean => previewNamed(request) !== undefined,
} as const

/** What the request works with: the preview that it names, or what is live. */
export async function verbsOf<Verbs>(
  { ofPreview, ...live }: Previewed<Verbs>,
  { request, caller, zone }: Asked,
): Promise<Verbs> {
  const name = previewNamed(request)
  if (name === undefined) return live as Verbs
  if (zone === undefined) throw invalid(parameter, 'is of one zone, and the paths are of several')
  return await ofPreview(zone, name, actorOf(caller))
}

/** The zone of all of them; `undefined` where they are of several. */
export function zoneOfAll(paths: readonly AssetPath[]): string | undefined {
  const zones = new Set(paths.map(zoneOf))
  return zones.size === 1 ? zones.values().next().value : undefined
}
