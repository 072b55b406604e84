import { z } from 'zod'

import type { Actor } from '../../../domain/access/actor.ts'
import type { StoredObjects } from '../../../domain/content/stored-objects.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { GrantedAction, ObjectGrants } from './object-grants.ts'

/** Clients send a hundred. */
const maxObjects = 1_000
const oidPattern = /^[0-9a-f]{64}$/u

/** https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md */
export const batchRequest = z.object({
  operation: z.enum(['download', 'upload']),
  hash_algo: z.string().optional(),
  objects: z.array(z.object({ oid: z.string().max(200), size: z.number() })),
})

type Batch = z.infer<typeof batchRequest>
type WantedObject = Batch['objects'][number]

interface Answering {
  readonly objects: Pick<StoredObjects, 'sizes' | 'renewed'>
  readonly grants: ObjectGrants
  readonly maxBytes: number
  readonly caller: Pick<Actor, 'zones'>
  /** Scheme, host and path in front of `/objects`. */
  readonly base: string
}

interface Action {
  readonly href: string
  readonly expires_in: number
}

/** What is to be done for each object, or why nothing is. */
export async function batchResponse(
  { operation, hash_algo, objects }: Batch,
  answering: Answering,
) {
  if (hash_algo !== undefined && hash_algo !== 'sha256')
    throw new ServiceError('WriteConflict', 'hash_algo must be sha256')
  if (objects.length > maxObjects)
    throw new ServiceError('PayloadTooLarge', `a batch may have at most ${maxObjects} objects`)
  const oids = new Set(objects.flatMap((each) => (isPossible(each) ? [each.oid] : [])))
  const sizes = await answering.objects.sizes([...oids], answering.caller)
  const stored = objects.filter((each) => sizes.get(each.oid) === each.size).map(({ oid }) => oid)
  // What need not be sent has to stay until a commit names it, like what was sent.
  const kept = operation === 'upload' ? await answering.objects.renewed(stored) : undefined
  const answerFor = (each: WantedObject) => {
    if (!isPossible(each)) return impossible
    const { oid } = each
    return kept === undefined
      ? downloadOf(each, sizes.get(oid), answering)
      : uploadOf(each, kept.has(oid) && sizes.get(oid) === each.size, answering)
  }
  return {
    transfer: 'basic',
    objects: objects.map((each) => ({
      oid: each.oid,
      size: each.size,
      ...answerFor(each),
    })),
    hash_algo: 'sha256',
  }
}

const isPossible = ({ oid, size }: WantedObject): boolean =>
  oidPattern.test(oid) && Number.isSafeInteger(size) && size >= 0

const impossible = {
  error: { code: 422, message: 'oid must be a SHA-256 in lower-case hex, and size a whole number' },
}

/** What another tenant has is not there for whoever does not reach that. */
function downloadOf({ oid, size }: WantedObject, stored: number | undefined, answering: Answering) {
  if (stored === undefined) return { error: { code: 404, message: 'There is no such object' } }
  if (stored !== size)
    return { error: { code: 422, message: `The object has ${stored} bytes, not ${size}` } }
  return {
    authenticated: true,
    actions: { download: actionOf('download', { oid, size }, answering) },
  }
}

/** Without actions where it is there: then nothing has to be sent. */
function uploadOf({ oid, size }: WantedObject, isKept: boolean, answering: Answering) {
  if (isKept) return {}
  if (size > answering.maxBytes)
    return {
      error: { code: 422, message: `An object may have at most ${answering.maxBytes} bytes` },
    }
  return {
    authenticated: true,
    actions: {
      upload: actionOf('upload', { oid, size }, answering),
      verify: actionOf('verify', { oid, size }, answering),
    },
  }
}

function actionOf(
  action: GrantedAction,
  { oid, size }: WantedObject,
  { grants, base, caller }: Answering,
): Action {
  const isNarrowed = action === 'upload' && caller.zones !== undefined
  const zones = isNarrowed ? { zones: [...(caller.zones ?? [])] } : {}
  const query = grants.sign({ action, oid, sizeBytes: size, ...zones })
  const path = action === 'verify' ? `${oid}/verify` : oid
  return { href: `${base}/objects/${path}?${query.toString()}`, expires_in: grants.forSeconds }
}
