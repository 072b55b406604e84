import { z } from 'zod'

import type { PreviewedAssets } from '../../../domain/previews/previewed/previewed-assets.ts'
import { operation } from '../../../http/operation.ts'
import { counted } from '../../../lib/text/visible-text.ts'
import { actorOf } from '../../caller.ts'
import { maxSelectionBytes } from '../../assets/listed/selection.ts'

/** As many as a page of a list has at most. */
const maxPaths = 200

/** `POST /api/assets/previews`; it changes nothing. */
export const listPreviewedAssets = operation({
  id: 'listPreviewedAssets',
  plane: 'assets',
  method: 'post',
  path: '/api/assets/previews',
  summary: 'Which of many assets are otherwise in open previews',
  description:
    'Asks once for a whole page of a list, and changes nothing. Only those that a promotion would change are named, with the previews that would; the 100 previews that changed last are looked into.',
  example: { body: { Paths: ['acme/v1/logos/logo.svg'] } },
  access: { keys: ['access'], scope: 'storage:read', session: true },
  envelope: 'standard',
  body: {
    kind: 'json',
    maxBytes: maxSelectionBytes,
    schema: z.object({
      Paths: z.array(z.string().max(2000)).min(1).max(maxPaths).describe('`<zone>/v1/…`'),
    }),
  },
  responses: {
    200: {
      description: 'Those that are',
      schema: z.object({
        HttpCode: z.literal(200),
        Message: z.string(),
        Previewed: z.array(
          z.object({
            Path: z.string(),
            Previews: z.array(
              z.object({
                Zone: z.string(),
                Name: z.string().describe('Of the preview; the one that changed last first'),
                Change: z.enum(['added', 'changed', 'removed']),
              }),
            ),
          }),
        ),
      }),
    },
  },
}).handledBy(
  ({ previewed }: { readonly previewed: PreviewedAssets }) =>
    async ({ body: { Paths }, caller, respond }) => {
      const found = await previewed.among(Paths, actorOf(caller))
      return respond(200, {
        HttpCode: 200,
        Message: counted(found.size, 'asset'),
        Previewed: [...found].map(([path, previews]) => ({
          Path: path,
          Previews: previews.map(({ zone, name, change }) => ({
            Zone: zone,
            Name: name,
            Change: change,
          })),
        })),
      })
    },
)
