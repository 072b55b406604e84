import { z } from 'zod'

import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { FileReader } from '../../domain/content/delivered/published-bytes.ts'
import { type Archive, archiveOf, type Archives } from '../../domain/content/delivered/archives.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { attachmentNamed } from '../../http/response/content-disposition.ts'
import { readableStreamOf } from '../../lib/bytes/byte-streams.ts'
import { zipBytes, type ZipFile, zipStream } from '../../lib/bytes/zip-stream.ts'
import { isCompressible } from '../../lib/text/compressible-types.ts'
import { counted } from '../../lib/text/visible-text.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { actorOf, baseUrlOf } from '../caller.ts'
import type { NamedPath } from '../named-paths.ts'
import { reaches } from '../../domain/access/actor.ts'
import { maxSelectionBytes, selectedPaths, selectionFields } from './listed/selection.ts'

export interface ArchiveDependencies {
  readonly catalog: Pick<Catalog, 'asset' | 'list' | 'zone'>
  readonly archives: Archives
  readonly reader: FileReader
  readonly baseUrl: string | undefined
  readonly now: () => Date
}

const prepareArchive = operation({
  id: 'prepareArchive',
  plane: 'assets',
  method: 'post',
  path: '/api/assets/archive',
  summary: 'Make a ZIP of many assets',
  description:
    'Answers a URL that is good once, within five minutes, for whoever has it: a browser opens it to save the file. It is written as it is read, of the files as they are now, at most 20,000 of them and 20 GiB.',
  example: { body: { Paths: ['acme/v1/logos/'], Name: 'logos' } },
  access: { keys: ['access'], scope: 'storage:read', session: true },
  envelope: 'standard',
  body: {
    kind: 'json',
    maxBytes: maxSelectionBytes,
    schema: z.object({
      ...selectionFields,
      Name: z.string().min(1).max(100).optional().describe('Of the file, without `.zip`'),
    }),
  },
  responses: {
    201: {
      description: 'Ready to be fetched',
      schema: z.object({
        HttpCode: z.literal(201),
        Message: z.string(),
        Url: z.url().describe('Good once'),
        Name: z.string(),
        Files: z.int(),
        Bytes: z.int().describe('Of the files; the archive may have fewer'),
        ExpiresAt: z.iso.datetime(),
      }),
    },
  },
}).handledBy(
  ({ catalog, archives, baseUrl, now }: ArchiveDependencies) =>
    async ({ body, request, caller, respond }) => {
      const named = await selectedPaths(body, { caller, catalog, now })
      const archive = archiveOf(filesOf(named, caller, catalog), body.Name)
      const { id, expiresAt } = archives.prepare(archive, actorOf(caller))
      return respond(201, {
        HttpCode: 201,
        Message: counted(archive.files.size, 'file'),
        Url: `${baseUrlOf(request, baseUrl)}/api/assets/archive/${id}`,
        Name: `${archive.name}.zip`,
        Files: archive.files.size,
        Bytes: archive.sizeBytes,
        ExpiresAt: expiresAt.toISOString(),
      })
    },
)

const getArchive = operation({
  id: 'getArchive',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/archive/{id}',
  summary: 'The ZIP of many assets, once',
  access: 'public',
  envelope: 'standard',
  params: z.object({ id: z.string().max(100).describe('The last segment of `Url`') }),
  responses: {
    200: { description: 'The archive', contentType: 'application/zip' },
    404: { description: 'It was fetched, or its time is over' },
  },
}).handledBy(({ archives, reader }: ArchiveDependencies) => async ({ params: { id }, request }) => {
  const archive = request.method === 'HEAD' ? archives.find(id) : archives.take(id)
  if (archive === undefined)
    throw new ServiceError('NotFound', 'This download is over; ask for it again')
  const files = [...archive.files].map(([name, asset]) => zipFileOf(name, asset, reader))
  const body = request.method === 'HEAD' ? null : readableStreamOf(zipStream(files))
  return new Response(body, { headers: headersOf(archive, zipBytes(files)) })
})

/** `/api/assets/archive`. */
export const archiveOperations: readonly HandledOperation<ArchiveDependencies>[] = [
  prepareArchive,
  getArchive,
]

/** What the caller reaches of the files and directories that are named, each once. */
function filesOf(
  named: readonly NamedPath[],
  caller: Caller,
  catalog: Pick<Catalog, 'asset' | 'list' | 'zone'>,
): readonly AssetRecord[] {
  const files = named.flatMap((each) => {
    const found = reaches(caller, each.path.split('/')[0] ?? '') ? assetsAt(each, catalog) : []
    if (found.length === 0)
      throw new ServiceError('AssetNotFound', `No asset at "${each.path}"`, { target: each.field })
    return found
  })
  return [...new Map(files.map((file) => [file.path, file])).values()]
}

function assetsAt(
  { path, isDirectory }: NamedPath,
  catalog: Pick<Catalog, 'asset' | 'list'>,
): readonly AssetRecord[] {
  const asset = isDirectory ? undefined : catalog.asset(path)
  if (asset !== undefined || !isDirectory) return asset === undefined ? [] : [asset]
  const query = { directory: path, sort: 'path', order: 'asc', page: 1, perPage: 1e6 } as const
  return catalog.list(query).items
}

const zipFileOf = (name: string, asset: AssetRecord, reader: FileReader): ZipFile => ({
  name,
  sizeBytes: asset.sizeBytes,
  modifiedAt: asset.changedAt,
  isCompressible: isCompressible(asset.contentType),
  open: async () => (await reader.open(asset)).stream(),
})

const headersOf = ({ name }: Archive, length: number | undefined) => ({
  'Content-Type': 'application/zip',
  'Content-Disposition': attachmentNamed(`${name}.zip`),
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  ...(length !== undefined && { 'Content-Length': String(length) }),
})
