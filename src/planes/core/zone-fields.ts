import { z } from 'zod'

import { maxFieldsBytes } from '../../domain/content/metadata/field-schema.ts'
import type { FieldsOfZone, ZoneFields } from '../../domain/content/metadata/zone-fields.ts'
import { type HandledOperation, operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'
import { zoneParams } from './zone-schemas.ts'

interface FieldsShown {
  readonly fields: Pick<ZoneFields, 'of'>
}

export interface ZoneFieldsDependencies extends FieldsShown {
  readonly fields: ZoneFields
}

const zoneFields = z.object({
  Zone: z.string(),
  Schema: z
    .union([z.record(z.string(), z.unknown()), z.boolean()])
    .nullable()
    .describe('JSON Schema (2020-12); null where the fields may be anything'),
  Fault: z.string().nullable().describe('Why the schema that git brought is left out'),
})

const common = {
  plane: 'core',
  envelope: 'standard',
  path: '/api/core/zones/{id}/fields',
  params: zoneParams,
  responses: { 200: { description: 'The fields of the zone', schema: zoneFields } },
} as const

/** `GET /api/core/zones/{id}/fields`. */
export const getZoneFields = operation({
  ...common,
  id: 'getZoneFields',
  answeredBy: 'any node',
  method: 'get',
  summary: "Show what a zone's own fields may be",
  example: { params: { id: 'acme' } },
  access: { keys: ['account'], scope: 'zones:read', session: true },
}).handledBy(
  ({ fields }: FieldsShown) =>
    async ({ params, caller, respond }) =>
      respond(200, fieldsJson(params.id, fields.of(params.id, actorOf(caller)))),
)

const setZoneFields = operation({
  ...common,
  id: 'setZoneFields',
  method: 'put',
  summary: "Say what a zone's own fields may be",
  example: {
    params: { id: 'acme' },
    body: { type: 'object', properties: { sku: { type: 'string', pattern: '^[A-Z]{2}-[0-9]+$' } } },
  },
  description:
    'The body is a JSON Schema (2020-12) that `Custom` of an asset has to fit, whoever says it; what was said before stays. References lead within it, and patterns look neither ahead nor behind. `{}` lets everything be.',
  access: { keys: ['account'], scope: 'zones:write', session: true },
  body: {
    kind: 'json',
    schema: z.record(z.string(), z.unknown()),
    maxBytes: maxFieldsBytes,
  },
}).handledBy(
  ({ fields }: ZoneFieldsDependencies) =>
    async ({ params, body, caller, respond }) =>
      respond(200, fieldsJson(params.id, await fields.set(params.id, body, actorOf(caller)))),
)

const fieldsJson = (zone: string, { schema, fault }: FieldsOfZone) => ({
  Zone: zone,
  Schema: (schema ?? null) as z.infer<typeof zoneFields>['Schema'],
  Fault: fault ?? null,
})

/** `/api/core/zones/{id}/fields`. */
export const zoneFieldsOperations: readonly HandledOperation<ZoneFieldsDependencies>[] = [
  getZoneFields,
  setZoneFields,
]
