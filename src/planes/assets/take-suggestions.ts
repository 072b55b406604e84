import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import { parseAssetPath } from '../../domain/content/asset-path.ts'
import {
  type Description,
  type Descriptions,
  metadataTag,
} from '../../domain/content/metadata/descriptions.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import type { Suggested, Suggestions } from '../../domain/media/sightings/suggestions.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { counted } from '../../lib/text/visible-text.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../dry-run.ts'
import type { NamedPath } from '../named-paths.ts'
import { visibleAsset } from './asset-metadata.ts'
import { maxSelectionBytes, selectedPaths, selectionFields } from './listed/selection.ts'

export interface TakeSuggestionsDependencies {
  readonly catalog: Catalog
  readonly suggestions: Pick<Suggestions, 'open'>
  readonly descriptions: Descriptions
  readonly now: () => Date
}

/** Of each it is looked up what is suggested. */
const maxTakenPaths = 500

const members = ['Alt', 'Tags'] as const
const sources = ['vision', 'any'] as const

/** `POST /api/assets/suggestions/take`. */
export const takeSuggestions = operation({
  id: 'takeSuggestions',
  plane: 'assets',
  method: 'post',
  path: '/api/assets/suggestions/take',
  summary: 'Take what is suggested for many assets',
  example: { body: { Paths: ['acme/v1/titles/hello.txt'], DryRun: true } },
  description: `Says of up to ${maxTakenPaths} assets what is suggested for them, in one commit or not at all; what somebody says already stays. A dry run answers what there is to take, for a person to look at. Without \`Source\` that is what a model has seen alone: \`any\` takes what titles, texts that were read and names say, too. \`POST /api/assets/undo\` takes the commit back.`,
  access: {
    keys: ['access'],
    scope: 'storage:write',
    orScopes: ['metadata:write'],
    session: true,
  },
  envelope: 'standard',
  query: z.object(dryRunQuery),
  body: {
    kind: 'json',
    maxBytes: maxSelectionBytes,
    schema: z.object({
      ...selectionFields,
      Members: z.array(z.enum(members)).min(1).max(10).optional().describe('Both, if left out'),
      Source: z.enum(sources).optional().describe('`vision` if left out'),
      ...dryRunBody,
    }),
  },
  responses: {
    200: {
      description: 'Taken',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Commit: z.string().nullable().describe('`null` where there was nothing to take'),
        Results: z
          .array(
            z.object({
              Path: z.string(),
              Outcome: z.enum(['updated', 'unchanged']).describe('Of a dry run: what it would be'),
              Alt: z.record(z.string(), z.string()).describe('By language: what is taken'),
              Tags: z.array(z.string()),
            }),
          )
          .describe('One for each asset, in their order'),
        ...dryRunFields,
        DateCreated: z.iso.datetime(),
      }),
    },
  },
}).handledBy(
  ({ catalog, suggestions, descriptions, now }: TakeSuggestionsDependencies) =>
    async ({ query, body, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const paths = await selectedPaths(body, { caller, catalog, now })
      const assets = assetsAt(paths, caller, catalog)
      const wanted = { members: new Set(body.Members ?? members), source: body.Source ?? 'vision' }
      const taken: Taken[] = []
      for (const asset of assets) taken.push(takenOf(asset, await suggestions.open(asset), wanted))
      const some = taken.filter(({ patch }) => Object.keys(patch).length > 0)
      const described =
        some.length === 0
          ? undefined
          : await descriptions.describe(
              { descriptions: some.map(descriptionOf), isDryRun },
              actorOf(caller),
            )
      const outcomes = new Map(
        some.map(({ asset }, index) => [asset.path, described?.outcomes[index] ?? 'unchanged']),
      )
      return respond(200, {
        HttpCode: 200,
        Message: `${isDryRun ? 'Nothing was changed: dry run of' : 'Taken for'} ${counted(some.length, 'asset')}`,
        Commit: described?.commitId ?? null,
        Results: taken.map(({ asset: { path }, patch }) => ({
          Path: path,
          Outcome: outcomes.get(path) ?? 'unchanged',
          Alt: { ...patch.alt },
          Tags: [...(patch.tags ?? [])],
        })),
        ...dryRunJson(isDryRun),
        DateCreated: now().toISOString(),
      })
    },
)

function assetsAt(
  paths: readonly NamedPath[],
  caller: Caller,
  catalog: Catalog,
): readonly AssetRecord[] {
  if (paths.length > maxTakenPaths)
    throw new ServiceError(
      'LimitExceeded',
      `${paths.length} assets are named, and suggestions of ${maxTakenPaths} can be taken at once`,
      { target: 'Paths', context: { Limit: maxTakenPaths } },
    )
  const directory = paths.find(({ isDirectory }) => isDirectory)
  if (directory !== undefined) throw invalid(directory.field, 'must name a file')
  return paths.map(({ path }) => visibleAsset(path, caller, catalog))
}

interface Wanted {
  readonly members: ReadonlySet<(typeof members)[number]>
  readonly source: (typeof sources)[number]
}

interface Taken {
  readonly asset: AssetRecord
  readonly patch: Partial<Pick<Suggested, 'alt' | 'tags'>>
}

function takenOf(asset: AssetRecord, suggested: Suggested, wanted: Wanted): Taken {
  const isWanted = (name: (typeof members)[number], source: string | undefined): boolean =>
    source !== undefined &&
    wanted.members.has(name) &&
    (wanted.source === 'any' || source === 'vision')
  const { alt, tags } = suggested
  return {
    asset,
    patch: {
      ...(isWanted('Alt', suggested.sources.alt) && { alt }),
      ...(isWanted('Tags', suggested.sources.tags) && { tags }),
    },
  }
}

/** What somebody says meanwhile is not written over. */
function descriptionOf({ asset, patch }: Taken): Description {
  const seen = metadataTag(asset.metadata)
  return {
    path: parseAssetPath(asset.path),
    edit: { kind: 'set', patch },
    precondition: (tag) => tag === seen,
    field: asset.path,
  }
}
