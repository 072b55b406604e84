import { z } from 'zod'

import { isSignatureValid, type SignedParameters } from '../../domain/access/signed-url.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { parseAssetPath } from '../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../domain/content/delivered-assets.ts'
import type { FileReader } from '../../domain/content/file-reader.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type Operation, operation } from '../../http/operation.ts'
import type { Secret } from '../../lib/secret.ts'
import { fileAnswer } from '../file-answer.ts'

export interface SignedDependencies {
  readonly catalog: Catalog
  readonly reader: FileReader
  readonly signedUrlSecret: Secret
  readonly previousSignedUrlSecret?: Secret | undefined
  readonly signedUrlMaxAgeSeconds: number
  readonly now: () => Date
}

const query = z.object({
  path: z.string().optional().describe('The asset; `/clients/…`, `clients/…` or the clean form'),
  expires: z.string().optional().describe('Unix seconds, at most seven days ahead'),
  sig: z.string().optional().describe('Lower-case hex HMAC-SHA256 of `<path>:<expires>`'),
})

/** `GET /api/signed`. */
export const signedOperation = (dependencies: SignedDependencies): Operation =>
  operation({
    id: 'getSigned',
    plane: 'delivery',
    method: 'get',
    path: '/api/signed',
    summary: 'An asset, private ones too, at an address that was signed',
    access: 'public',
    envelope: 'flat',
    query,
    responses: {
      200: { description: 'The asset', contentType: 'application/octet-stream' },
      403: { description: 'The signature is missing, wrong or expired' },
    },
    async handle({ query: { path, expires, sig }, request }) {
      const { catalog, reader, signedUrlMaxAgeSeconds, now } = dependencies
      const parameters = { path, expires, signature: sig, extras: extrasOf(request) }
      const terms = {
        secret: dependencies.signedUrlSecret.reveal(),
        previousSecret: dependencies.previousSignedUrlSecret?.reveal(),
        now: now(),
        maxAgeSeconds: signedUrlMaxAgeSeconds,
      }
      if (!isSignatureValid(parameters, terms))
        throw new ServiceError('Forbidden', 'The signature is missing, wrong or expired')
      const asset = deliveredAsset(catalog, parseAssetPath(path ?? ''), { isSigned: true })
      return fileAnswer(request, { asset, reader, headers: signedHeaders })
    },
  })

const signedHeaders = {
  'X-Signed-URL': 'verified',
  'Cache-Control': 'private',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Transform parameters travel with a prefix, and are part of what is signed. */
const extrasOf = (request: Request): SignedParameters['extras'] =>
  [...new URL(request.url).searchParams].filter(([name]) => name.startsWith('t.'))
