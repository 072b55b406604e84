import { z } from 'zod'

import { repositoryPath } from '../../domain/content/asset-path.ts'
import type { EditedFiles, FileEdit, Relocation } from '../../domain/content/files/file-edit.ts'
import type { FileEdits } from '../../domain/content/files/file-edits.ts'
import { invalid } from '../../domain/errors.ts'
import type { SimilarAssets } from '../../domain/media/likeness/similar-assets.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { actorOf } from '../caller.ts'
import { dryRunBody, dryRunFields, dryRunJson, dryRunQuery, isDryRunOf } from '../dry-run.ts'
import {
  previewHeader,
  type Previewed,
  previewQuery,
  previewScope,
  verbsOf,
  zoneOfAll,
} from '../previewed.ts'
import {
  type NamedPath,
  namedPaths,
  parseNamedPath,
  parseNamedPaths,
  pathInto,
  requireMayShow,
} from '../named-paths.ts'
import { edgeFields } from './schemas.ts'
import { similarOfAll, similarToUpload } from '../assets/similar-assets.ts'
import { edgeNoteOf, preconditionOf, preferHeader } from './write-file.ts'

interface Verbs {
  readonly fileEdits: FileEdits
  readonly catalog: Pick<Manifest, 'zone' | 'asset'>
}

export type ChangeFilesDependencies = Previewed<Verbs> & {
  readonly similarAssets: Pick<SimilarAssets, 'ofUpload'>
  readonly now: () => Date
}

const from = z.string().describe('A file, or a directory with all that is below it')
const to = z
  .string()
  .describe('The path it is to have; of a file also the directory it is to be in, with a slash')

const relocation = z.object({
  From: from,
  To: to,
  Overwrite: z.boolean().optional().describe('Whether files that are there may go'),
  ...dryRunBody,
})

const changed = {
  Message: z.string(),
  Commit: z.string().nullable().describe('`null` of a dry run'),
  Files: z.int().describe('How many files'),
  ...edgeFields,
  ...dryRunFields,
  DateCreated: z.iso.datetime(),
}

const moveRequest = relocation.extend({
  Redirect: z
    .boolean()
    .optional()
    .describe('Leave a 301 rule for what is moved; not with a token for some zones'),
})

const relocated = { From: z.string(), To: z.string(), ...changed }

const common = {
  plane: 'storage',
  method: 'post',
  access: { keys: ['access'], scope: 'storage:write', session: true, previewScope },
  envelope: 'standard',
  query: z.object({ ...dryRunQuery, ...previewQuery }),
} as const

const ifMatch = {
  'If-Match': 'Only where the file at `From` has this `ETag`',
  ...previewHeader,
}

const copyFiles = operation({
  ...common,
  id: 'copyFiles',
  path: '/api/storage/copy',
  summary: 'Copy a file or a directory',
  description:
    'One commit, in which no byte is copied. What is known of a file is copied with it. Files that are at `To` already refuse it unless `Overwrite` is set; files of a directory there that `From` does not have stay.',
  example: { body: { From: 'acme/v1/logos/logo.svg', To: 'acme/v1/icons/copied.svg' } },
  requestHeaders: { ...ifMatch, ...preferHeader },
  body: { kind: 'json', schema: relocation },
  responses: {
    201: {
      description: 'Copied',
      schema: z.object({
        HttpCode: z.literal(201),
        ...relocated,
        Similar: similarToUpload.describe('As for an upload; null of a directory and a dry run'),
      }),
    },
  },
}).handledBy(
  ({ now, similarAssets, ...live }: ChangeFilesDependencies) =>
    async ({ query, body, request, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const edits = [relocationOf('copy', body, { request, caller })]
      const verbs = await verbsOf<Verbs>(live, { request, caller, zone: zoneOfEdits(edits) })
      const applied = await verbs.fileEdits.apply({ edits, isDryRun }, actorOf(caller))
      const fields = fieldsOf(applied, { ...verbs, now, isDryRun })
      const copies = isDryRun ? [] : applied.edited.flatMap(({ to: copied }) => copied ?? [])
      const sent = { catalog: verbs.catalog, request, caller }
      const [similar = null] = await similarOfAll(copies, sent, similarAssets)
      return respond(201, {
        HttpCode: 201,
        Message: isDryRun ? 'Nothing was copied: dry run' : `Files copied: ${fields.Files}`,
        ...pathsOf(applied.edited),
        ...fields,
        EdgeStatus: 'pending',
        Similar: similar,
      })
    },
)

const moveFiles = operation({
  ...common,
  id: 'moveFiles',
  path: '/api/storage/move',
  summary: 'Move or rename a file or a directory',
  description:
    'One commit, in which no byte is copied. What is known of a file, its history and its figures go with it. Files that are at `To` already refuse it unless `Overwrite` is set. `Redirect` writes a 301 rule into `_redirects` in the same commit, one for a directory.',
  example: {
    body: { From: 'acme/v1/titles/world.txt', To: 'acme/v1/titles/moved.txt', Redirect: true },
  },
  requestHeaders: ifMatch,
  body: { kind: 'json', schema: moveRequest },
  responses: {
    200: { description: 'Moved', schema: z.object({ HttpCode: z.literal(200), ...relocated }) },
  },
}).handledBy(
  ({ now, similarAssets: _similarAssets, ...live }: ChangeFilesDependencies) =>
    async ({ query, body, request, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const edits = [relocationOf('move', body, { request, caller })]
      const redirect = body.Redirect === true
      const verbs = await verbsOf<Verbs>(live, { request, caller, zone: zoneOfEdits(edits) })
      const applied = await verbs.fileEdits.apply({ edits, redirect, isDryRun }, actorOf(caller))
      const fields = fieldsOf(applied, { ...verbs, now, isDryRun })
      return respond(200, {
        HttpCode: 200,
        Message: isDryRun ? 'Nothing was moved: dry run' : `Files moved: ${fields.Files}`,
        ...pathsOf(applied.edited),
        ...fields,
        EdgeStatus: 'purging',
      })
    },
)

const deleteFiles = operation({
  ...common,
  id: 'deleteFiles',
  path: '/api/storage/delete',
  summary: 'Delete many files, or a directory',
  description:
    'All of them in one commit, or none. A path that ends with a slash is a directory with all that is below it. For 30 days they are listed by `GET /api/assets/deleted` and can be brought back.',
  example: { body: { Paths: ['acme/v1/icons/copied.svg'] } },
  requestHeaders: previewHeader,
  body: {
    kind: 'json',
    schema: z.object({
      Paths: namedPaths,
      RedirectTo: z
        .string()
        .optional()
        .describe(
          'A file that the URLs of all of them lead to from then on (301, in `_redirects`, in the same commit); `Paths` are files then. Not with a token for some zones',
        ),
      ...dryRunBody,
    }),
  },
  responses: {
    200: {
      description: 'Deleted',
      schema: z.object({ HttpCode: z.literal(200), Paths: z.array(z.string()), ...changed }),
    },
  },
}).handledBy(
  ({ now, similarAssets: _similarAssets, ...live }: ChangeFilesDependencies) =>
    async ({ query, body, request, caller, respond }) => {
      const isDryRun = isDryRunOf(query, body)
      const edits = (await parseNamedPaths(body.Paths)).map(removalOf)
      const redirectTo = redirectTargetOf(body.RedirectTo)
      const verbs = await verbsOf<Verbs>(live, { request, caller, zone: zoneOfEdits(edits) })
      const edit = { edits, redirectTo, isDryRun }
      const applied = await verbs.fileEdits.apply(edit, actorOf(caller))
      const fields = fieldsOf(applied, { ...verbs, now, isDryRun })
      return respond(200, {
        HttpCode: 200,
        Message: isDryRun ? 'Nothing was deleted: dry run' : `Files deleted: ${fields.Files}`,
        Paths: applied.edited.map((each) => repositoryPath(each.from)),
        ...fields,
        EdgeStatus: 'purging',
      })
    },
)

/** `POST` of copies, moves and deletions. */
export const changeFilesOperations: readonly HandledOperation<ChangeFilesDependencies>[] = [
  copyFiles,
  moveFiles,
  deleteFiles,
]

function relocationOf(
  kind: Relocation['kind'],
  body: z.infer<typeof relocation>,
  { request, caller }: { readonly request: Request; readonly caller: Caller },
): Relocation {
  const source = parseNamedPath(body.From, 'From')
  const target = parseNamedPath(body.To, 'To')
  const isInto = target.isDirectory && !source.isDirectory
  const paths = {
    from: source.path,
    to: isInto ? pathInto(target.path, source.path, 'To') : target.path,
  }
  requireMayShow(caller, paths)
  return {
    kind,
    ...paths,
    overwrite: body.Overwrite === true,
    fields: { from: 'From', to: 'To' },
    ...(request.headers.has('if-match') && { precondition: preconditionOf(request) }),
  }
}

const zoneOfEdits = (edits: readonly FileEdit[]): string | undefined =>
  zoneOfAll(edits.flatMap((edit) => (edit.kind === 'delete' ? edit.from : [edit.from, edit.to])))

const removalOf = ({ path, isDirectory, field }: NamedPath): FileEdit => ({
  kind: 'delete',
  from: path,
  isDirectory,
  fields: { from: field },
})

function redirectTargetOf(text: string | undefined) {
  if (text === undefined) return undefined
  const { path, isDirectory } = parseNamedPath(text, 'RedirectTo')
  if (isDirectory) throw invalid('RedirectTo', 'must be a file')
  return path
}

function pathsOf([edited]: readonly EditedFiles[]): { readonly From: string; readonly To: string } {
  if (edited?.to === undefined) throw invalid('To', 'is required')
  return { From: repositoryPath(edited.from), To: repositoryPath(edited.to) }
}

interface Applied {
  readonly commitId: string | undefined
  readonly edited: readonly EditedFiles[]
}

function fieldsOf(
  { commitId, edited }: Applied,
  {
    catalog,
    now,
    isDryRun,
  }: Pick<Verbs, 'catalog'> & Pick<ChangeFilesDependencies, 'now'> & { readonly isDryRun: boolean },
) {
  const paths = edited.map(({ from: path, to: target }) => target ?? path)
  return {
    Commit: commitId ?? null,
    Files: edited.reduce((sum, { fileCount }) => sum + fileCount, 0),
    EdgeNote: isDryRun
      ? 'Nothing was committed: dry run.'
      : edgeNoteOf(paths, 'Committed together; edges follow within seconds.', catalog),
    ...dryRunJson(isDryRun),
    DateCreated: now().toISOString(),
  }
}
