import { Mutex } from '../../lib/async/mutex.ts'
import { networkOf } from '../../lib/net/address-list.ts'
import type {
  StagedUploadRecord,
  StoredFileCondition,
  UploadGroup,
} from '../../ports/content/staged-upload-store.ts'
import type { Actor } from '../access/actor.ts'
import { zoneOf } from '../content/asset-path.ts'
import { requireOpenZone } from '../content/files/files.ts'
import { invalid, ServiceError, tooMany } from '../errors.ts'
import { placeOfUpload } from './upload-place.ts'
import type { UploadParts } from './upload-parts.ts'
import type { UploadTerms } from './uploads.ts'

const maxClientMetadata = 8192

/** Begins uploads: everything that can be refused before a byte arrives is refused here. */
export function createUploadOpener(
  parts: UploadParts,
): (terms: UploadTerms, actor: Actor) => Promise<StagedUploadRecord> {
  const { published, room, store, now } = parts
  const counting = new Mutex()

  async function requireFewOpen(zone: string, network: string): Promise<void> {
    const { maxOpenPerZone, maxOpenPerNetwork } = parts.settings
    const limits: readonly (readonly [UploadGroup, number, string])[] = [
      [{ zone }, maxOpenPerZone, `Zone "${zone}" has ${maxOpenPerZone} unfinished uploads`],
      [{ network }, maxOpenPerNetwork, `Your network has ${maxOpenPerNetwork} unfinished uploads`],
    ]
    for (const [group, limit, what] of limits)
      if ((await store.countOpen(group, now())) >= limit) throw tooMany('uploads', what, limit)
  }

  return async (terms, actor) => {
    const { path } = terms
    const zone = zoneOf(path)
    requireOpenZone(path, actor, published)
    requireFittingTerms(terms, parts)
    const place = await placeOfUpload({ zone, preview: terms.preview }, actor, parts)
    requireCondition(terms.condition, place.published.asset(path)?.sha256)
    await room.prepare()
    room.require(zone, terms.sizeBytes ?? 0)
    await requireZoneRoom(terms, parts)
    const network = networkOf(actor.ip)
    using _turn = await counting.acquire()
    await requireFewOpen(zone, network)
    const record = recordOf(terms, { actor, zone, network }, parts)
    await store.add(record)
    return record
  }
}

/** Of a size that is said later, and of a preview, the end of the upload says it. */
async function requireZoneRoom(terms: UploadTerms, { requireRoom }: UploadParts): Promise<void> {
  const { path, preview, sizeBytes, expectedSha256: sha256 = '' } = terms
  if (sizeBytes !== undefined && preview === undefined)
    await requireRoom?.(path, { sha256, sizeBytes })
}

function requireFittingTerms(terms: UploadTerms, { settings }: UploadParts): void {
  requireFittingSize(terms.sizeBytes, terms.grant?.maxBytes ?? settings.maxFileBytes, settings)
  if ((terms.clientMetadata?.length ?? 0) > maxClientMetadata)
    throw invalid('metadata', `must have at most ${maxClientMetadata} characters`)
}

/** Refuses a size that no upload may have, or that its grant does not allow. */
export function requireFittingSize(
  sizeBytes: number | undefined,
  maxBytes: number,
  { maxFileBytes }: { readonly maxFileBytes: number },
): void {
  const limit = Math.min(maxBytes, maxFileBytes)
  if (sizeBytes === undefined) return
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
    throw invalid('length', 'must be a whole number of bytes')
  if (sizeBytes > limit) throw tooLarge(limit)
}

export const tooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('PayloadTooLarge', `The file may have at most ${maxBytes} bytes`, {
    target: 'body',
    context: { MaxSize: maxBytes },
  })

function requireCondition(
  condition: StoredFileCondition | undefined,
  sha256: string | undefined,
): void {
  if (!holds(condition, sha256))
    throw new ServiceError('PreconditionFailed', 'The stored file is not the one the request names')
}

/** Whether what is stored now is what the condition says (RFC 9110 §13.1). */
export function holds(
  condition: StoredFileCondition | undefined,
  sha256: string | undefined,
): boolean {
  const names = (which: 'anything' | readonly string[]): boolean =>
    sha256 !== undefined && (which === 'anything' || which.includes(sha256))
  const { is, isNot } = condition ?? {}
  return (is === undefined || names(is)) && (isNot === undefined || !names(isNot))
}

interface Opener {
  readonly actor: Actor
  readonly zone: string
  readonly network: string
}

const recordOf = (
  terms: UploadTerms,
  { actor, zone, network }: Opener,
  { newId, now, records, published }: UploadParts,
): StagedUploadRecord => ({
  id: terms.id ?? newId(),
  zone,
  zoneCommitId: published.zone(zone)?.commitId,
  path: terms.path,
  preview: terms.preview,
  sizeBytes: terms.sizeBytes,
  awaitsCompletion: terms.isInParts ?? false,
  contentType: terms.contentType ?? undefined,
  expectedSha256: terms.expectedSha256,
  condition: terms.condition,
  grant: terms.grant,
  clientMetadata: terms.clientMetadata,
  inParts: terms.isInParts === true ? {} : undefined,
  credentialId: actor.credentialId,
  network,
  createdAt: now(),
  expiresAt: records.expiry(),
  commit: undefined,
  outcome: undefined,
})
