import { z } from 'zod'

import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { Directory } from '../../domain/catalog/directory.ts'
import { reaches } from '../../domain/access/actor.ts'
import {
  decodePath,
  type DirectoryPath,
  parseDirectoryPath,
} from '../../domain/content/asset-path.ts'
import type { FileReader } from '../../domain/content/delivered/published-bytes.ts'
import { unerased } from '../../domain/content/erased-bytes.ts'
import { ServiceError, zoneNotFound } from '../../domain/errors.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { previewHeader, type Previewed, previewQuery, verbsOf } from '../previewed.ts'
import { fileResponse } from '../file-response.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { listingOf } from './listing.ts'
import { directoryListing, storagePathParams } from './schemas.ts'

interface Verbs {
  readonly catalog: Catalog
}

type Dependencies = Previewed<Verbs> & {
  readonly reader: FileReader
  readonly erased: Pick<Manifest, 'isErased'>
}

/** `GET` (and `HEAD`) of a file or a directory. */
export const getFile = operation({
  id: 'getFile',
  plane: 'storage',
  method: 'get',
  path: '/api/storage/{path}',
  summary: 'Read a file, or list a directory',
  head: { id: 'headFile', summary: 'What is known of a file, in headers' },
  example: { params: { path: 'acme/v1/logos/logo.svg' } },
  description:
    'A path that ends in `/` (or names a directory) answers a list of entries; any other the bytes as last committed, with ranges and conditional requests.',
  access: { keys: ['access'], scope: 'storage:read', session: true },
  envelope: 'standard',
  params: storagePathParams,
  query: z.object(previewQuery),
  requestHeaders: {
    Range: 'A part of the file, e.g. `bytes=0-1023`',
    'If-None-Match': 'The `ETag` of what the client has',
    ...previewHeader,
  },
  answeredBy: 'any node',
  responses: {
    200: {
      description: 'The file, or the entries of the directory',
      schema: directoryListing,
      otherContentTypes: ['*/*'],
    },
    206: { description: 'Part of the file', contentType: '*/*' },
    304: { description: 'The client has it already' },
  },
}).handledBy(
  ({ reader, erased, ...verbs }: Dependencies) =>
    async ({ params, request, caller, respond }) => {
      const text = decodePath(params.path)
      const path = parseDirectoryPath(text)
      const zone = path.split('/')[0] ?? ''
      if (zone !== '' && !reaches(caller, zone)) throw zoneNotFound(zone)
      const { catalog } = await verbsOf<Verbs>(verbs, {
        request,
        caller,
        zone: zone === '' ? undefined : zone,
      })
      if (text === '' || text.endsWith('/')) return respond(200, listing(path, caller, catalog))
      const asset = unerased(path, catalog.asset(path), erased)
      if (asset) return fileResponse(request, { asset, reader, headers: headersOf(asset) })
      const isDirectory = !isEmpty(catalog.directory(path))
      if (isDirectory) return respond(200, listing(path, caller, catalog))
      if (!catalog.zone(zone)) throw zoneNotFound(zone)
      throw new ServiceError('AssetNotFound', `No file at "${path}"`, { target: 'path' })
    },
)

/** Never run by a browser that was led here: the storage plane is for programs. */
const headersOf = (asset: AssetRecord) => ({
  Checksum: asset.sha256,
  'Cache-Control': cacheLifetimes.comparedEachTime,
  'Content-Disposition': 'attachment',
})

const isEmpty = ({ directories, files }: Directory): boolean =>
  directories.length === 0 && files.length === 0

function listing(path: DirectoryPath, caller: Caller, catalog: Catalog) {
  const { directories, files } = catalog.directory(path)
  const visible =
    path === '' ? directories.filter(({ name }) => reaches(caller, name)) : directories
  return listingOf(path, { directories: visible, files })
}
