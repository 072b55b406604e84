import { z } from 'zod'

import { maxRuleCharacters } from '../../domain/content/rules/redirects/move-redirects.ts'

import { requireAllZones, requireZone } from '../../domain/access/actor.ts'
import type { RuleFiles } from '../../domain/content/rule-files.ts'
import type { RuleDiagnostic } from '../../domain/content/rules/rule-diagnostic.ts'
import { explainRules as explain } from '../../domain/content/rules/explain-rules.ts'
import { invalid, zoneNotFound } from '../../domain/errors.ts'
import type { NamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { explainTransform } from '../../domain/media/named/explain-transform.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { ruleFileNames } from '../../ports/records/zone.ts'
import { actorOf } from '../caller.ts'
import { dryRunJson, dryRunFields, dryRunBody, dryRunQuery, isDryRunOf } from '../dry-run.ts'

export interface RulesDependencies {
  readonly rules: RuleFiles
  readonly published: Pick<Manifest, 'ruleFile' | 'zone'>
  readonly named: NamedTransforms
  /** The zone whose own a host name is. */
  readonly zoneOfHost: (hostname: string) => string | undefined
  readonly now: () => Date
}

const file = z.enum(ruleFileNames)

const edgeRules = z.object({
  Headers: z.string().nullable().describe('Contents of `_headers`'),
  Redirects: z.string().nullable().describe('Contents of `_redirects`'),
  Transforms: z.string().nullable().describe('Contents of `_transforms`'),
  Editable: z.array(file),
  DateFetched: z.iso.datetime(),
  File: file.optional(),
  Content: z.string().nullable().optional(),
  Zone: z.string().optional().describe('Whose own file it is'),
})

const ruleLine = z.object({
  line: z.int(),
  text: z.string(),
  message: z.string(),
})

const rulesChanged = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  File: file,
  Zone: z.string().optional(),
  Commit: z.string(),
  EdgeStatus: z.string(),
  EdgeNote: z.string(),
  DateModified: z.iso.datetime(),
  Warnings: z.array(ruleLine),
  ...dryRunFields,
})

const getRules = operation({
  id: 'getRules',
  plane: 'core',
  method: 'get',
  path: '/api/core/rules',
  summary: 'Read the edge rules',
  description:
    'Of all zones, so a token for some of them reads none; with `zone` it reads the `_transforms` of that zone.',
  access: { keys: ['account'], scope: 'rules:read', session: true },
  envelope: 'standard',
  query: z.object({
    file: file.optional().describe('Adds `File` and `Content`'),
    zone: z
      .string()
      .optional()
      .describe('The zone whose own `_transforms` is shown, and no other file'),
  }),
  responses: { 200: { description: 'The rule files', schema: edgeRules } },
}).handledBy(({ published, now }: RulesDependencies) => async ({ query, caller, respond }) => {
  const DateFetched = now().toISOString()
  if (query.zone !== undefined) {
    const own = ownTransforms(query.zone, caller, published)
    return respond(200, { ...noRules, ...own, Editable: ['_transforms'], DateFetched })
  }
  requireAllZones(caller)
  const named = query.file
    ? { File: query.file, Content: published.ruleFile(query.file) ?? null }
    : {}
  return respond(200, {
    Headers: published.ruleFile('_headers') ?? null,
    Redirects: published.ruleFile('_redirects') ?? null,
    Transforms: published.ruleFile('_transforms') ?? null,
    Editable: [...ruleFileNames],
    DateFetched,
    ...named,
  })
})

const noRules = { Headers: null, Redirects: null }

function ownTransforms(zone: string, caller: Caller, published: Pick<Manifest, 'zone'>) {
  requireZone(caller, zone)
  const record = published.zone(zone)
  if (record === undefined) throw zoneNotFound(zone)
  const content = record.transforms ?? null
  return { Zone: zone, File: '_transforms' as const, Content: content, Transforms: content }
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
    'A file with lines that can never take effect is refused, one detail a line with its number in `target`. `Warnings` name lines that work, but maybe not as meant. With `Zone` it is the `_transforms` of that zone, on its own images alone; a token for the zone may write it.',
  access: { keys: ['account'], scope: 'rules:write', session: true },
  envelope: 'standard',
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    schema: z.object({
      File: file,
      Content: z.string().max(maxRuleCharacters),
      Zone: z.string().optional().describe('Whose own `_transforms` it is'),
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

function requireReach(caller: Caller, zone: string | undefined): void {
  if (zone === undefined) requireAllZones(caller)
  else requireZone(caller, zone)
}

const warningJson = ({ line, text, reason }: RuleDiagnostic) => ({
  line,
  text,
  message: `line ${line} ${reason}`,
})

const triedRule = z.object({
  line: z.int(),
  text: z.string(),
  outcome: z.enum([
    'matched',
    'path-differs',
    'condition-not-met',
    'target-invalid',
    'not-reached',
  ]),
  captures: z.record(z.string(), z.string()),
})

const explanation = z.object({
  Url: z.string(),
  Redirects: z.array(triedRule),
  Action: z
    .union([
      z.object({ kind: z.literal('redirect'), status: z.int(), location: z.string() }),
      z.object({ kind: z.literal('rewrite'), status: z.int(), path: z.string() }),
    ])
    .nullable()
    .describe('What the redirects decide'),
  Headers: z.array(triedRule),
  FieldsBefore: z.array(z.tuple([z.string(), z.string()])),
  FieldsAfter: z.array(z.tuple([z.string(), z.string()])),
  Transform: z
    .object({
      Name: z.string(),
      Zone: z.string().nullable().describe('Whose file it is in; null where it is for all zones'),
      line: z.int(),
      text: z.string(),
      Parameters: z.array(z.tuple([z.string(), z.string()])),
    })
    .nullable()
    .describe('The named transform that the URL asks for, and all parameters that come of it'),
})

const explainRules = operation({
  id: 'explainRules',
  plane: 'core',
  method: 'get',
  path: '/api/core/rules/explain',
  summary: 'Tell how the rules treat a URL',
  example: { query: { url: '/acme/v1/logos/logo.svg' } },
  description:
    'Every rule that was tried, what it captured, and the header fields before and after.',
  access: { keys: ['account'], scope: 'rules:read', session: true },
  envelope: 'standard',
  query: z.object({
    url: z.string().describe('Absolute, or a path of this service'),
    country: z.string().optional().describe('The country to suppose, two letters'),
  }),
  responses: { 200: { description: 'Line by line', schema: explanation } },
}).handledBy(
  ({ published, named, zoneOfHost }: RulesDependencies) =>
    async ({ query: { url, country }, request, caller, respond }) => {
      requireAllZones(caller)
      const parsed = URL.parse(url, request.url)
      const absolute = parsed?.href ?? url
      const zone = parsed === null ? undefined : zoneOfHost(parsed.hostname)
      const explained = explain(
        { headers: published.ruleFile('_headers'), redirects: published.ruleFile('_redirects') },
        absolute,
        { ...(country !== undefined && { country }), ...(zone !== undefined && { zone }) },
      )
      if (!explained) throw invalid('url', 'must be a web address, or a path of this service')
      return respond(200, {
        Url: absolute,
        Redirects: explained.redirects,
        Action: explained.action ?? null,
        Headers: explained.headers,
        FieldsBefore: explained.fieldsBefore,
        FieldsAfter: explained.fieldsAfter,
        Transform: transformJson(explainTransform(absolute, named, zone)),
      })
    },
)

const transformJson = (found: ReturnType<typeof explainTransform>) =>
  found === undefined
    ? null
    : {
        Name: found.transform.name,
        Zone: found.transform.zone ?? null,
        line: found.transform.line,
        text: found.transform.text,
        Parameters: [...found.query],
      }

/** `/api/core/rules`. */
export const ruleOperations: readonly HandledOperation<RulesDependencies>[] = [
  getRules,
  updateRules,
  explainRules,
]
