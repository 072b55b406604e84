import { z } from 'zod'

import { requireZone } from '../../domain/access/actor.ts'
import { maxRuleCharacters } from '../../domain/content/rules/redirects/move-redirects.ts'
import {
  explainableUrl,
  explainRules as explain,
  type RuleExplanation,
  type TriedRule,
} from '../../domain/content/rules/explain-rules.ts'
import { invalid, zoneNotFound } from '../../domain/errors.ts'
import { createNamedTransforms } from '../../domain/media/named/named-transforms.ts'
import { explainTransform } from '../../domain/media/named/explain-transform.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { ownRuleMembers, type RuleFileName } from '../../ports/records/zone.ts'
import { requireReach, type RulesDependencies, type RulesShown } from './rules.ts'
import { explanation, file } from './rule-schemas.ts'

const urlField = z.string().describe('Absolute, or a path of this service')
const country = z.string().optional().describe('The country to suppose, two letters')
const zoneAlone =
  'A token for some zones hears of URLs of these, and of rules of all zones what comes of them alone.'

/** `GET /api/core/rules/explain`. */
export const explainRules = operation({
  id: 'explainRules',
  answeredBy: 'any node',
  plane: 'core',
  method: 'get',
  path: '/api/core/rules/explain',
  summary: 'Tell how the rules treat a URL',
  example: { query: { url: '/acme/v1/logos/logo.svg' } },
  description: `Every rule that was tried, whose it is, what it captured, and the header fields before and after. ${zoneAlone}`,
  access: { keys: ['account'], scope: 'rules:read', session: true },
  envelope: 'standard',
  query: z.object({ url: urlField, country }),
  responses: { 200: { description: 'Line by line', schema: explanation } },
}).handledBy((dependencies: RulesShown) => async ({ query, request, caller, respond }) => {
  const asked = { url: query.url, country: query.country, base: request.url }
  return respond(200, explained(asked, caller, dependencies))
})

const explainDraftRules = operation({
  id: 'explainDraftRules',
  plane: 'core',
  method: 'post',
  path: '/api/core/rules/explain',
  summary: 'Tell how rules that are not saved would treat a URL',
  example: {
    body: {
      Url: '/acme/v1/old/logo.svg',
      File: '_redirects',
      Content: '/v1/old/*  /v1/logos/:splat  301\n',
      Zone: 'acme',
    },
  },
  description: `As \`explainRules\`, with a draft in the place of one file. Lines of it that can never take effect are left out; checking names them. ${zoneAlone}`,
  access: { keys: ['account'], scope: 'rules:read', session: true },
  envelope: 'standard',
  body: {
    kind: 'json',
    schema: z.object({
      Url: urlField,
      Country: country,
      File: file,
      Content: z.string().max(maxRuleCharacters),
      Zone: z.string().optional().describe('Whose own file it is; left out, it is for all zones'),
    }),
  },
  responses: { 200: { description: 'Line by line', schema: explanation } },
}).handledBy((dependencies: RulesDependencies) => async ({ body, request, caller, respond }) => {
  const { published } = dependencies
  requireReach(caller, body.Zone)
  if (body.Zone !== undefined && published.zone(body.Zone) === undefined)
    throw zoneNotFound(body.Zone)
  const draft = { file: body.File, content: body.Content, zone: body.Zone }
  const asked = { url: body.Url, country: body.Country, base: request.url }
  return respond(
    200,
    explained(asked, caller, { ...dependencies, published: withDraft(draft, published) }),
  )
})

interface Draft {
  readonly file: RuleFileName
  readonly content: string
  readonly zone: string | undefined
}

type Rules = Pick<Manifest, 'ruleFile' | 'zone'>

/** What is published, with a draft in the place of a file. */
const withDraft = ({ file: drafted, content, zone }: Draft, published: Rules): Rules => ({
  ruleFile: (name) => (zone === undefined && name === drafted ? content : published.ruleFile(name)),
  zone(name) {
    const record = published.zone(name)
    return name === zone && record !== undefined
      ? { ...record, [ownRuleMembers[drafted]]: content }
      : record
  },
})

interface Asked {
  readonly url: string
  readonly country: string | undefined
  readonly base: string
}

type Known = Pick<RulesShown, 'published' | 'zoneOfHost'>

function explained(
  asked: Asked,
  caller: Caller,
  { published, zoneOfHost }: Known,
): z.infer<typeof explanation> {
  const url = URL.parse(asked.url, asked.base)
  if (url === null) throw noUrl()
  const hostZone = zoneOfHost(url.hostname)
  const zone = zoneOfUrl(url.href, hostZone, caller)
  const own = published.zone(zone)
  const files = {
    headers: published.ruleFile('_headers'),
    redirects: published.ruleFile('_redirects'),
    own,
  }
  const options = { country: asked.country, zone: hostZone }
  const found = explain(files, url.href, options)
  if (found === undefined) throw noUrl()
  return {
    Url: url.href,
    Zone: own?.name ?? null,
    ...rulesJson(found, caller),
    Transform: transformJson(
      explainTransform(url.href, createNamedTransforms(published), hostZone),
      caller,
    ),
  }
}

const noUrl = () => invalid('url', 'must be a web address, or a path of this service')

/** Of a zone that the caller does not reach it says no more than of one that is not there. */
function zoneOfUrl(url: string, hostZone: string | undefined, caller: Caller): string {
  const ruled = explainableUrl(url, hostZone)
  if (ruled === undefined) throw noUrl()
  if (caller.zones !== undefined) requireZone(caller, ruled.zone)
  return ruled.zone
}

/** Rules of all zones are not shown to a token for some; what comes of them is. */
function rulesJson(found: RuleExplanation, { zones }: Caller) {
  const told = (rules: readonly TriedRule[]) =>
    rules.filter(({ zone }) => zones === undefined || zone !== undefined).map(triedJson)
  return {
    Redirects: told(found.redirects),
    Action: found.action ?? null,
    Headers: told(found.headers),
    FieldsBefore: [...found.fieldsBefore],
    FieldsAfter: [...found.fieldsAfter],
  }
}

const triedJson = ({ zone, overruled, ...rule }: TriedRule) => ({
  ...rule,
  zone: zone ?? null,
  overruled: [...overruled],
})

/** What is in the file of all zones, a token for some is not shown; what it comes to, it is. */
function transformJson(found: ReturnType<typeof explainTransform>, { zones }: Caller) {
  if (found === undefined) return null
  const { name, zone, line, text } = found.transform
  return {
    Name: name,
    Zone: zone ?? null,
    line,
    text: zone === undefined && zones !== undefined ? name : text,
    Parameters: [...found.query],
  }
}

/** `/api/core/rules/explain`. */
export const explainOperations: readonly HandledOperation<RulesDependencies>[] = [
  explainRules,
  explainDraftRules,
]
