import { wordsOf } from '../../../domain/catalog/columns/word-marks.ts'
import { z } from 'zod'

import type { Catalog } from '../../../domain/catalog/catalog.ts'
import type { AssetQuery } from '../../../domain/catalog/listing.ts'
import type { Caller } from '../../../http/operation.ts'
import { attributeQuery, attributesOf } from './attribute-query.ts'
import { folderQuery, placeOf } from './folder-query.ts'

/** What assets can be listed by. */
export const narrowingQuery = {
  project: z.string().optional().describe('Exactly this zone'),
  category: z.string().optional().describe('Exactly this category'),
  format: z.string().optional().describe('Exactly this file extension'),
  q: z.string().optional().describe('Every word must occur in the name or the path'),
  ...folderQuery,
  ...attributeQuery,
}

const schema = z.object(narrowingQuery)

interface Dependencies {
  readonly caller: Caller
  readonly catalog: Pick<Catalog, 'zone'>
  readonly now: () => Date
}

/** As the catalogue is asked. Throws `InvalidParameter`, and refuses zones that the caller does not reach. */
export const narrowingOf = (
  asked: z.infer<typeof schema>,
  { caller, catalog, now }: Dependencies,
): Omit<AssetQuery, 'sort' | 'order' | 'page' | 'perPage'> => ({
  project: asked.project,
  category: asked.category,
  format: asked.format,
  ...placeOf(asked, caller, catalog),
  words: asked.q === undefined ? undefined : wordsOf(asked.q),
  attributes: attributesOf(asked, now()),
  zones: caller.zones,
})
