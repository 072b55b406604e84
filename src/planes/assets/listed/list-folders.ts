import { z } from 'zod'

import type { Catalog, Folder } from '../../../domain/catalog/catalog.ts'
import { cacheLifetimes } from '../../../http/response/cache-lifetimes.ts'
import { evaluatePreconditions } from '../../../http/request/conditional.ts'
import { type Caller, operation } from '../../../http/operation.ts'
import { clampedInteger } from '../../../http/request/query.ts'
import { counted } from '../../../lib/text/visible-text.ts'
import { parseFolder } from './folder-query.ts'
import { catalogTag } from './list-assets.ts'

const sums = {
  Files: z.int().describe('At any depth'),
  Bytes: z.int().describe('Of those'),
  Folders: z.int().describe('How many are directly in it'),
}

const folderEntry = z.object({
  Name: z.string(),
  Path: z.string().describe('What `folder` of `GET /api/assets` takes'),
  ...sums,
  LastChanged: z.iso.datetime(),
})

const folderList = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Path: z.string().describe('Of a zone `<zone>/v1`; of all zones nothing'),
  OwnFiles: z.int().describe('Files that are in none of its folders'),
  ...sums,
  Data: z.array(folderEntry).describe('By name'),
  Next: z.string().nullable().describe('`after` of the next page'),
})

/** `GET /api/assets/folders`. */
export const listFolders = operation({
  id: 'listFolders',
  plane: 'assets',
  method: 'get',
  path: '/api/assets/folders',
  summary: 'The folders in a folder, with how much is in each',
  description:
    'Of all zones, of a zone, or of any folder. The files are in `GET /api/assets?folder=…&direct=true`. Folders are there by what is in them: one that nothing is in is an empty list.',
  example: { query: { path: 'acme/v1' } },
  access: { keys: ['access'], scope: 'assets:read', session: true },
  envelope: 'standard',
  query: z.object({
    path: z.string().max(2000).default('').describe('A zone, or a path below `<zone>/v1`'),
    limit: clampedInteger({ min: 1, max: 1000, default: 200 }),
    after: z.string().max(1000).default('').describe('`Next` of the page before'),
  }),
  answeredBy: 'any node',
  responses: {
    200: { description: 'One page of folders', schema: folderList },
    304: { description: 'The catalogue has not changed' },
  },
}).handledBy(
  ({ catalog }: { readonly catalog: Catalog }) =>
    async ({ query: { path: text, limit, after }, request, caller, respond }) => {
      const path = parseFolder(text, { caller, catalog, target: 'path' })
      const headers = {
        ETag: catalogTag(catalog, caller.zones),
        'Cache-Control': cacheLifetimes.listing,
      }
      const validators = { etag: headers.ETag, lastModified: undefined }
      if (evaluatePreconditions(request, validators) === 'not-modified')
        return new Response(null, { status: 304, headers })
      const folder = seenBy(caller, path, catalog.folder(path))
      const rest = folder.directories.filter(({ name }) => name > after)
      const page = rest.slice(0, limit)
      const list = {
        HttpCode: 200,
        Message: counted(folder.directories.length, 'folder'),
        Path: path,
        OwnFiles: folder.ownFileCount,
        ...spell(folder),
        Data: page.map(({ name, changedAt, ...each }) => ({
          Name: name,
          Path: path === '' ? `${name}/v1` : `${path}/${name}`,
          ...spell(path === '' ? { ...each, ...catalog.folder(`${name}/v1`) } : each),
          LastChanged: changedAt.toISOString(),
        })),
        Next: rest.length > limit ? (page.at(-1)?.name ?? null) : null,
      } as const
      return respond(200, list, headers)
    },
)

/** Of all zones only those that the caller reaches are there, and counted. */
function seenBy({ zones }: Caller, path: string, folder: Folder): Folder {
  if (path !== '' || zones === undefined) return folder
  const directories = folder.directories.filter(({ name }) => zones.has(name))
  return {
    directories,
    directoryCount: directories.length,
    ownFileCount: 0,
    fileCount: directories.reduce((sum, { fileCount }) => sum + fileCount, 0),
    sizeBytes: directories.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  }
}

const spell = ({
  fileCount,
  sizeBytes,
  directoryCount,
}: Pick<Folder, 'fileCount' | 'sizeBytes' | 'directoryCount'>) => ({
  Files: fileCount,
  Bytes: sizeBytes,
  Folders: directoryCount,
})
