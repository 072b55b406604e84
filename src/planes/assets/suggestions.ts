import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { Moderation } from '../../domain/media/sightings/moderation.ts'
import {
  type Suggested,
  type Suggestions,
  suggestionSources,
  visionStates,
} from '../../domain/media/sightings/suggestions.ts'
import { zoneNotFound } from '../../domain/errors.ts'
import { reaches } from '../../domain/access/actor.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { clampedInteger } from '../../http/request/query.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { safeties } from '../../ports/records/vision/sighting.ts'
import { visibleAsset } from './asset-metadata.ts'

export interface SuggestionsDependencies {
  readonly catalog: Catalog
  readonly suggestions: Suggestions
  readonly moderation: Pick<Moderation, 'flagged'>
}

const pathQuery = z.object({ path: z.string().describe('`<zone>/v1/…`') })

const suggested = z.object({
  HttpCode: z.literal(200),
  Message: z.string().describe('Where the suggestions come from, in words'),
  Path: z.string(),
  Alt: z.record(z.string(), z.string()).describe('By language: what nobody says yet'),
  Tags: z.array(z.string()),
  Text: z.string().describe('What is written in it'),
  Sources: z.record(z.string(), z.enum(suggestionSources)).describe('Where each member comes from'),
  Safety: z
    .enum([...safeties, 'unknown'])
    .describe('What a model takes it for; `unknown` where none has seen it'),
  Vision: z
    .enum(visionStates)
    .describe('Whether a model has seen it, will, could not, or is not asked'),
})

const getSuggestions = operation({
  id: 'getSuggestions',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/suggestions',
  summary: 'What may be said of an image that nobody says yet',
  example: { query: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'What a model has seen in it, where the operator has set one and it had its time; else what titles in the file, texts that were read and names say. To take a suggestion, say it: `PATCH /api/assets/metadata`. Nobody is asked on the way of this request.',
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query: pathQuery,
  responses: { 200: { description: 'What there is to suggest', schema: suggested } },
}).handledBy(
  ({ catalog, suggestions }: SuggestionsDependencies) =>
    async ({ query: { path }, caller, respond }) => {
      const asset = visibleAsset(path, caller, catalog)
      return respond(200, suggestedJson(asset.path, await suggestions.open(asset)))
    },
)

const memberNames = { Alt: 'alt', Tags: 'tags' } as const

const dismissSuggestions = operation({
  id: 'dismissSuggestions',
  plane: 'assets',
  method: 'post',
  path: '/api/assets/suggestions/dismiss',
  summary: 'Suggest something no more',
  example: { query: { path: 'acme/v1/logos/logo.svg' }, body: { Members: ['Tags'] } },
  description: 'For as long as the path has these bytes. Without `Members`, all of them.',
  access: {
    keys: ['access'],
    scope: 'storage:write',
    orScopes: ['metadata:write'],
    session: true,
  },
  envelope: 'standard',
  query: pathQuery,
  body: {
    kind: 'json',
    isLenient: true,
    schema: z.object({
      Members: z
        .array(z.enum(['Alt', 'Tags']))
        .max(10)
        .optional(),
    }),
  },
  responses: { 200: { description: 'What is left to suggest', schema: suggested } },
}).handledBy(
  ({ catalog, suggestions }: SuggestionsDependencies) =>
    async ({ query: { path }, body, caller, respond }) => {
      const asset = visibleAsset(path, caller, catalog)
      const members = body.Members ?? (['Alt', 'Tags'] as const)
      await suggestions.dismiss(
        asset,
        members.map((name) => memberNames[name]),
      )
      return respond(200, suggestedJson(asset.path, await suggestions.open(asset)))
    },
)

const listFlagged = operation({
  id: 'listFlaggedAssets',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/flagged',
  summary: 'Images of a zone that a model takes for unfit',
  example: { query: { zone: 'acme' } },
  description:
    'Of zones with Moderation `flag` or `hold`: what is live and `borderline` or `unsafe`. A person decides; nothing is taken away.',
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query: z.object({
    zone: z.string(),
    limit: clampedInteger({ min: 1, max: 500, default: 100 }),
  }),
  responses: {
    200: {
      description: 'By path',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Moderation: z.enum(['off', 'flag', 'hold']),
        Total: z.int(),
        Limit: z.int(),
        Data: z.array(z.object({ Path: z.string(), Safety: z.enum(['borderline', 'unsafe']) })),
      }),
    },
  },
}).handledBy(
  ({ catalog, moderation }: SuggestionsDependencies) =>
    async ({ query: { zone, limit }, caller, respond }) => {
      const record = reaches(caller, zone) ? catalog.zone(zone) : undefined
      if (record === undefined) throw zoneNotFound(zone)
      const policy = record.moderation ?? 'off'
      const found = policy === 'off' ? [] : await moderation.flagged(catalog.zoneFiles(record.name))
      return respond(200, {
        HttpCode: 200,
        Message: counted(found.length, 'asset'),
        Moderation: policy,
        Total: found.length,
        Limit: limit,
        Data: found
          .slice(0, limit)
          .map(({ asset, safety }) => ({ Path: asset.path, Safety: safety })),
      })
    },
)

/** Where suggestions come from, for who reads it. */
export const visionMessages: Readonly<Record<Suggested['vision'], string>> = {
  seen: 'A model has seen the image',
  pending: 'A model has not seen the image yet: this is from titles, texts and names',
  failed:
    'A model said nothing of the image that can be used: this is from titles, texts and names',
  off: 'No model looks at images of the zone: this is from titles, texts and names',
}

const sourceNames = { alt: 'Alt', tags: 'Tags', text: 'Text' } as const

const suggestedJson = (
  path: string,
  { alt, tags, text, sources, safety, vision }: Suggested,
): z.infer<typeof suggested> => ({
  HttpCode: 200,
  Message: visionMessages[vision],
  Path: path,
  Alt: { ...alt },
  Tags: [...tags],
  Text: text,
  Sources: Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [
      sourceNames[name as keyof typeof sourceNames],
      source,
    ]),
  ),
  Safety: safety ?? 'unknown',
  Vision: vision,
})

/** `/api/assets/suggestions`, and what is flagged. */
export const suggestionOperations: readonly HandledOperation<SuggestionsDependencies>[] = [
  getSuggestions,
  dismissSuggestions,
  listFlagged,
]
