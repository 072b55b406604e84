import { z } from 'zod'

import { requireAllZones } from '../../domain/access/actor.ts'
import {
  writeCertificate,
  writeDigests,
} from '../../domain/edges/certificates/certificate-messages.ts'
import type { HandedOutCertificates } from '../../domain/edges/certificates/handed-out-certificates.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type Caller, type HandledOperation, operation } from '../../http/operation.ts'
import { common } from './access.ts'

export interface EdgeCertificateDependencies {
  readonly handedOut: HandedOutCertificates
  /** Whether nobody on the way to that client can read along. */
  readonly isPrivateWay: (caller: Caller) => boolean
}

const headers = { 'Cache-Control': 'no-store' }

const listEdgeCertificates = operation({
  ...common,
  id: 'listEdgeCertificates',
  method: 'get',
  path: '/api/edges/certificates',
  summary: 'Which certificates of custom domains there are',
  description: 'By host name, the SHA-256 of each chain. Over https alone, as the next one.',
  responses: {
    200: {
      description: 'The digests',
      schema: z.object({ Certificates: z.record(z.string(), z.string()) }),
    },
  },
}).handledBy(
  ({ handedOut, isPrivateWay }: EdgeCertificateDependencies) =>
    async ({ caller, respond }) => {
      requireAllowed(caller, isPrivateWay(caller))
      return respond(200, writeDigests(await handedOut.digests()), headers)
    },
)

const getEdgeCertificate = operation({
  ...common,
  id: 'getEdgeCertificate',
  method: 'get',
  path: '/api/edges/certificates/{hostname}',
  summary: 'The certificate of a custom domain, with its key',
  params: z.object({ hostname: z.string().max(253) }),
  responses: {
    200: {
      description: 'Both in PEM',
      schema: z.object({ Hostname: z.string(), Chain: z.string(), Key: z.string() }),
    },
  },
}).handledBy(
  ({ handedOut, isPrivateWay }: EdgeCertificateDependencies) =>
    async ({ params: { hostname }, caller, respond }) => {
      requireAllowed(caller, isPrivateWay(caller))
      const certificate = await handedOut.find(hostname)
      if (certificate === undefined)
        throw new ServiceError('NotFound', 'There is no certificate for this host name')
      return respond(200, writeCertificate(certificate), headers)
    },
)

function requireAllowed(caller: Caller, isPrivate: boolean): void {
  requireAllZones(caller)
  if (!isPrivate)
    throw new ServiceError(
      'Forbidden',
      'certificates and their keys are handed out over https; EDGE_KEYS_OVER_HTTP allows http in a network that nobody else is in',
    )
}

/** `/api/edges/certificates`. */
export const certificateOperations: readonly HandledOperation<EdgeCertificateDependencies>[] = [
  listEdgeCertificates,
  getEdgeCertificate,
]
