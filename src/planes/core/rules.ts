import { z } from 'zod'

import { requireAllZones, requireZone } from '../../domain/access/actor.ts'
import type { RuleFiles } from '../../domain/content/rule-files.ts'
import { maxRuleCharacters } from '../../domain/content/rules/redirects/move-redirects.ts'
import type { RuleDiagnostic } from '../../domain/content/rules/rule-diagnostic.ts'
import { zoneNotFound } from '../../domain/errors.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { ownRuleMembers, type RuleFileName, ruleFileNames } from '../../ports/records/zone.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunJson, dryRunQuery, isDryRunOf } from '../dry-run.ts'
import { edgeRules, file, rulesChanged } from './rule-schemas.ts'

/** What rules are read from. */
export interface RulesShown {
  readonly published: Pick<Manifest, 'ruleFile' | 'zone'>
  /** The zone whose own a host name is. */
  readonly zoneOfHost: (hostname: string) => string | undefined
  readonly now: () => Date
}

export interface RulesDependencies extends RulesShown {
  readonly rules: RuleFiles
}

/** `GET /api/core/rules`. */
export const getRules = operation({
  id: 'getRules',
  answeredBy: 'any node',
  plane: 'core',
  method: 'get',
  path: '/api/core/rules',
  summary: 'Read the edge rules',
  description:
    'Of all zones, so a token for some of them reads none; with `zone` it reads those that are that zone’s own.',
  access: { keys: ['account'], scope: 'rules:read', session: true },
  envelope: 'standard',
  query: z.object({
    file: file.optional().describe('Adds `File` and `Content`'),
    zone: z.string().optional().describe('The zone whose own files are shown'),
  }),
  responses: { 200: { description: 'The rule files', schema: edgeRules } },
}).handledBy(({ published, now }: RulesShown) => async ({ query, caller, respond }) => {
  const zone = query.zone === undefined ? undefined : ownRules(query.zone, caller, published)
  if (zone === undefined) requireAllZones(caller)
  const contentOf = (name: RuleFileName) =>
    (zone === undefined ? published.ruleFile(name) : zone[ownRuleMembers[name]]) ?? null
  // Before a zone had other files, that one was told of without being named.
  const named = query.file ?? (zone === undefined ? undefined : '_transforms')
  return respond(200, {
    Headers: contentOf('_headers'),
    Redirects: contentOf('_redirects'),
    Transforms: contentOf('_transforms'),
    Editable: [...ruleFileNames],
    DateFetched: now().toISOString(),
    ...(named !== undefined && { File: named, Content: contentOf(named) }),
    ...(zone !== undefined && { Zone: zone.name }),
  })
})

function ownRules(zone: string, caller: Caller, published: Pick<Manifest, 'zone'>) {
  requireZone(caller, zone)
  const record = published.zone(zone)
  if (record === undefined) throw zoneNotFound(zone)
  return record
}

const updateRules = operation({
  id: 'updateRules',
  plane: 'core',
  method: 'post',
  path: '/api/core/rules',
  summary: 'Replace an edge rule file',
  example: {
    body: {
      File: '_headers',
      Content: '/acme/v1/logos/*\n  Cache-Control: public, max-age=86400\n',
    },
  },
  description:
    'A file with lines that can never take effect is refused, one detail a line with its number in `target`. `Warnings` name lines that work, but maybe not as meant. With `Zone` it is that zone’s own file: it is applied after that of all zones and on the zone’s own paths alone, has at most 32 KiB and 1000 lines, and a token for the zone may write it.',
  access: { keys: ['account'], scope: 'rules:write', session: true },
  envelope: 'standard',
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    schema: z.object({
      File: file,
      Content: z.string().max(maxRuleCharacters),
      Zone: z.string().optional().describe('Whose own file it is'),
      ...dryRunBody,
    }),
  },
  responses: { 200: { description: 'Committed', schema: rulesChanged } },
}).handledBy(({ rules, now }: RulesDependencies) => async ({ query, body, caller, respond }) => {
  const text = { file: body.File, content: body.Content, zone: body.Zone }
  requireReach(caller, text.zone)
  const warnings = rules.check(text)
  const isDryRun = isDryRunOf(query, body)
  const written = isDryRun ? undefined : await rules.write(text, actorOf(caller))
  return respond(200, {
    HttpCode: 200,
    Message: isDryRun ? `${body.File} is fine; nothing was changed` : `${body.File} updated`,
    File: body.File,
    ...(body.Zone !== undefined && { Zone: body.Zone }),
    Commit: written?.commitId ?? '',
    EdgeStatus: isDryRun ? 'unchanged' : 'pending',
    EdgeNote: isDryRun ? 'Dry run.' : 'Committed; edges follow the new rules within seconds.',
    DateModified: (written?.changedAt ?? now()).toISOString(),
    Warnings: warnings.map(warningJson),
    ...dryRunJson(isDryRun),
  })
})

/** Files of all zones are out of reach for a token for some; those of a zone, for tokens for others. */
export function requireReach(caller: Caller, zone: string | undefined): void {
  if (zone === undefined) requireAllZones(caller)
  else requireZone(caller, zone)
}

const warningJson = ({ line, text, reason }: RuleDiagnostic) => ({
  line,
  text,
  message: `line ${line} ${reason}`,
})

/** `/api/core/rules`. */
export const ruleOperations: readonly HandledOperation<RulesDependencies>[] = [
  getRules,
  updateRules,
]
