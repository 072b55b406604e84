import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import { type AssetPath, encodePath } from '../../domain/content/asset-path.ts'
import type { FileEdit } from '../../domain/content/files/file-edit.ts'
import type { FileEdits } from '../../domain/content/files/file-edits.ts'
import type { Descriptions } from '../../domain/content/metadata/descriptions.ts'
import type { MetadataEdit } from '../../domain/content/metadata/edit-metadata.ts'
import { invalid } from '../../domain/errors.ts'
import type { Purges } from '../../domain/publishing/purges.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../dry-run.ts'
import {
  previewHeader,
  previewNamed,
  type Previewed,
  previewQuery,
  previewScope,
  verbsOf,
  zoneOfAll,
} from '../previewed.ts'
import { type NamedPath, parseNamedPath, pathInto, requireMayShow } from '../named-paths.ts'
import { requireScope } from '../required-scope.ts'
import { maxSelectionBytes, selectedPaths, selectionFields } from './listed/selection.ts'
import { describingEdit, memberNames, metadataPatch } from './described-fields.ts'

interface Verbs {
  readonly fileEdits: FileEdits
  readonly descriptions: Descriptions
}

interface WorkDependencies extends Verbs {
  readonly purges: Purges
}

type Dependencies = Previewed<Verbs> & {
  readonly purges: Purges
  /** What filters are asked of. */
  readonly listed: Pick<Catalog, 'list' | 'zone'>
  readonly now: () => Date
}

const actions = ['set', 'tag', 'untag', 'copy', 'move', 'delete', 'purge'] as const
type Action = (typeof actions)[number]

const describingRequest = z.object({
  ...selectionFields,
  Action: z.enum(['set', 'tag', 'untag']),
  Metadata: metadataPatch.optional().describe('Of `set`: a JSON Merge Patch of what is known'),
  Tags: z.array(z.string()).min(1).optional().describe('Of `tag` and `untag`'),
  ...dryRunBody,
})

const bulkRequest = z.object({
  ...describingRequest.shape,
  Action: z.enum(actions),
  To: z.string().optional().describe('Of `copy` and `move`: the directory to put them into'),
  Overwrite: z.boolean().optional().describe('Of `copy` and `move`: whether files there may go'),
  Redirect: z.boolean().optional().describe('Of `move`: leave 301 rules'),
  Soft: z.boolean().optional().describe('Of `purge`: mark as stale instead of forgetting'),
})

const outcomes = ['updated', 'unchanged', 'copied', 'moved', 'deleted', 'purged'] as const

const bulkResponse = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Action: z.enum(actions),
  Commit: z.string().nullable().describe('`null` where nothing had to be committed'),
  Results: z
    .array(
      z.object({
        Path: z.string(),
        Outcome: z.enum(outcomes).describe('Of a dry run: what it would be'),
        To: z.string().nullable().describe('Where it is copied or moved to'),
        Files: z.int().describe('More than 1 of a directory alone'),
      }),
    )
    .describe('One for each path, in their order'),
  ...dryRunFields,
  DateCreated: z.iso.datetime(),
})

type Results = z.infer<typeof bulkResponse>['Results']

const common = {
  plane: 'assets',
  method: 'post',
  envelope: 'standard',
  query: z.object({ ...dryRunQuery, ...previewQuery }),
  requestHeaders: previewHeader,
  responses: { 200: { description: 'Done', schema: bulkResponse } },
} as const

/** `POST /api/assets/bulk`. */
const changeAssets = operation({
  ...common,
  id: 'changeAssets',
  path: '/api/assets/bulk',
  summary: 'Do the same to many assets',
  description:
    'Describe, copy, move, delete or purge up to 5,000 paths, or the up to 20,000 files that a filter fits: all of it in one commit, or nothing, with a detail for each path that cannot be. `POST /api/assets/undo` takes a commit back. `purge` commits nothing, counts as one purge, and takes a token that has `purge:write` too.',
  example: {
    body: { Paths: ['acme/v1/titles/hello.txt'], Action: 'tag', Tags: ['greeting'] },
  },
  access: { keys: ['access'], scope: 'storage:write', session: true, previewScope },
  body: { kind: 'json', schema: bulkRequest, maxBytes: maxSelectionBytes },
}).handledBy(
  (dependencies: Dependencies) =>
    async ({ respond, ...asked }) =>
      respond(200, await doToAll(asked, dependencies)),
)

/** `POST /api/assets/describe`. */
const describeAssets = operation({
  ...common,
  id: 'describeAssets',
  path: '/api/assets/describe',
  summary: 'Describe many assets',
  description:
    'What `POST /api/assets/bulk` does to describe assets, for whoever may describe them and change nothing else: alternative text, tags, own fields of up to 5,000 paths, or of the up to 20,000 files that a filter fits, in one commit.',
  example: {
    body: { Paths: ['acme/v1/titles/hello.txt'], Action: 'tag', Tags: ['greeting'] },
  },
  access: {
    keys: ['access'],
    scope: 'storage:write',
    orScopes: ['metadata:write'],
    session: true,
    previewScope,
  },
  body: { kind: 'json', schema: describingRequest, maxBytes: maxSelectionBytes },
}).handledBy(
  (dependencies: Dependencies) =>
    async ({ respond, ...asked }) =>
      respond(200, await doToAll(asked, dependencies)),
)

interface Asked {
  readonly query: z.infer<typeof common.query>
  readonly body: z.infer<typeof bulkRequest>
  readonly request: Request
  readonly caller: Caller
}

async function doToAll(
  { query, body, request, caller }: Asked,
  { now, purges, listed, ...live }: Dependencies,
): Promise<z.infer<typeof bulkResponse>> {
  const isDryRun = isDryRunOf(query, body)
  const paths = await selectedPaths(body, { caller, catalog: listed, now })
  requireLive(body, request)
  const task = { body, paths, caller, isDryRun }
  const zone = zoneOfAll(paths.map(({ path }) => path))
  const verbs = await verbsOf<Verbs>(live, { request, caller, zone })
  const { commitId, results } = await work[body.Action](task, { ...verbs, purges })
  const what = counted(results.length, 'path')
  return {
    HttpCode: 200,
    Message: isDryRun ? `Nothing was changed: dry run of ${what}` : `Done: ${what}`,
    Action: body.Action,
    Commit: commitId ?? null,
    Results: results,
    ...dryRunJson(isDryRun),
    DateCreated: now().toISOString(),
  }
}

function requireLive({ Filter, Action }: Task['body'], request: Request): void {
  if (previewNamed(request) === undefined) return
  if (Filter !== undefined)
    throw invalid('Filter', 'is of what is live; name the paths of a preview')
  if (Action === 'purge')
    throw invalid('Action', 'must be none that is for what is live: a preview is not purged')
}

interface Task {
  readonly body: z.infer<typeof bulkRequest>
  readonly paths: readonly NamedPath[]
  readonly caller: Caller
  readonly isDryRun: boolean
}

interface Done {
  readonly commitId: string | undefined
  readonly results: Results
}

type Work = (task: Task, dependencies: WorkDependencies) => Promise<Done>

const describing =
  (editOf: (body: Task['body']) => MetadataEdit): Work =>
  async ({ body, paths, caller, isDryRun }, { descriptions }) => {
    const edit = editOf(body)
    requireFiles(paths)
    const { commitId, outcomes: told } = await descriptions.describe(
      { descriptions: paths.map(({ path, field }) => ({ path, edit, field })), isDryRun },
      actorOf(caller),
    )
    const results = paths.map(({ path }, index) => ({
      Path: path,
      Outcome: told[index] ?? 'unchanged',
      To: null,
      Files: 1,
    }))
    return { commitId, results }
  }

const editing =
  (outcome: 'copied' | 'moved' | 'deleted', editsOf: (task: Task) => readonly FileEdit[]): Work =>
  async (task, { fileEdits }) => {
    const { isDryRun, caller, body } = task
    const redirect = outcome === 'moved' && body.Redirect === true
    const edits = editsOf(task)
    const { commitId, edited } = await fileEdits.apply(
      { edits, redirect, isDryRun },
      actorOf(caller),
    )
    const results = edited.map(({ from, to, fileCount }) => ({
      Path: from,
      Outcome: outcome,
      To: to ?? null,
      Files: fileCount,
    }))
    return { commitId, results }
  }

const relocating =
  (kind: 'copy' | 'move') =>
  ({ body, paths, caller }: Task): readonly FileEdit[] => {
    if (body.To === undefined) throw invalid('To', `is required for ${kind}`)
    const { path: directory } = parseNamedPath(body.To, 'To')
    return paths.map(({ path: from, field }) => {
      const to = pathInto(directory, from, field)
      requireMayShow(caller, { from, to })
      const fields = { from: field, to: field }
      return { kind, from, to, overwrite: body.Overwrite === true, fields }
    })
  }

const removing = ({ paths }: Task): readonly FileEdit[] =>
  paths.map(({ path, isDirectory, field }) => ({
    kind: 'delete',
    from: path,
    isDirectory,
    fields: { from: field },
  }))

const purging: Work = async ({ body, paths, caller, isDryRun }, { purges }) => {
  requireScope(caller, 'purge:write', 'A purge')
  requireFiles(paths)
  if (paths.length > maxPurgedPaths)
    throw invalid('Paths', `must be at most ${maxPurgedPaths} to purge; purge a tag instead`)
  const urls = paths.map(({ path }) => `/${encodePath(path)}`)
  const request = { target: { kind: 'urls', urls }, soft: body.Soft === true } as const
  await purges[isDryRun ? 'check' : 'purge'](request, actorOf(caller))
  return { commitId: undefined, results: paths.map(({ path }) => purged(path)) }
}

/** Every edge is told of each. */
const maxPurgedPaths = 5000

const purged = (path: AssetPath) => ({ Path: path, Outcome: 'purged', To: null, Files: 1 }) as const

const work: Readonly<Record<Action, Work>> = {
  set: describing(({ Metadata }) => {
    if (Metadata === undefined) throw invalid('Metadata', 'is required for set')
    return describingEdit(Metadata)
  }),
  tag: describing(({ Tags }) => ({ kind: 'tag', tags: requiredTags(Tags), names: memberNames })),
  untag: describing(({ Tags }) => ({
    kind: 'untag',
    tags: requiredTags(Tags),
    names: memberNames,
  })),
  copy: editing('copied', relocating('copy')),
  move: editing('moved', relocating('move')),
  delete: editing('deleted', removing),
  purge: purging,
}

function requiredTags(tags: readonly string[] | undefined): readonly string[] {
  if (tags === undefined) throw invalid('Tags', 'is required to tag and untag')
  return tags
}

function requireFiles(paths: readonly NamedPath[]): void {
  const directory = paths.find(({ isDirectory }) => isDirectory)
  if (directory !== undefined) throw invalid(directory.field, 'must name a file for this action')
}

/** The same to many assets. */
export const bulkOperations: readonly HandledOperation<Dependencies>[] = [
  changeAssets,
  describeAssets,
]
