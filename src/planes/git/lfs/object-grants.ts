import { createHmac, timingSafeEqual } from 'node:crypto'

import { ServiceError } from '../../../domain/errors.ts'

export type GrantedAction = 'download' | 'upload' | 'verify'

/** What an URL of an object lets whoever has it do, and for how long. */
export interface ObjectGrant {
  readonly action: GrantedAction
  readonly oid: string
  readonly sizeBytes: number
  /** For whose files an upload is; left out where it is for anybody's. */
  readonly zones?: readonly string[]
}

export interface ObjectGrants {
  /** Seconds that a URL is good for. */
  readonly forSeconds: number
  /** The query of a URL that lets whoever has it do this. */
  sign(grant: ObjectGrant): URLSearchParams
  /** Throws `Forbidden` where the URL does not grant the action for this object, or not any more. */
  check(action: GrantedAction, oid: string, query: URLSearchParams): ObjectGrant
}

interface Dependencies {
  readonly key: Uint8Array
  readonly now: () => Date
}

/** Long enough for a large upload to begin after those before it. */
const forSeconds = 3600

/**
 * Rights to single objects in URLs, so that the caller's own key is sent with the batch alone, and not
 * kept in the URLs and fields of every transfer.
 */
export function createObjectGrants({ key, now }: Dependencies): ObjectGrants {
  const signatureOf = (
    { action, oid, sizeBytes, zones = [] }: ObjectGrant,
    expires: number,
  ): string =>
    createHmac('sha256', key)
      .update([action, oid, sizeBytes, expires, ...zones].join(' '))
      .digest('base64url')

  return {
    forSeconds,
    sign(grant) {
      const expires = Math.floor(now().getTime() / 1000) + forSeconds
      return new URLSearchParams({
        action: grant.action,
        size: String(grant.sizeBytes),
        ...(grant.zones !== undefined && { zones: grant.zones.join(' ') }),
        expires: String(expires),
        signature: signatureOf(grant, expires),
      })
    },
    check(action, oid, query) {
      const sizeBytes = wholeOf(query.get('size'))
      const expires = wholeOf(query.get('expires'))
      const zones = query.get('zones')?.split(' ')
      const grant = { action, oid, sizeBytes, ...(zones !== undefined && { zones }) }
      const isSigned = isEqual(signatureOf(grant, expires), query.get('signature') ?? '')
      if (!isSigned || expires * 1000 <= now().getTime())
        throw new ServiceError('Forbidden', 'this URL does not grant that, or not any more')
      return grant
    },
  }
}

const wholeOf = (text: string | null): number =>
  text !== null && /^\d{1,15}$/u.test(text) ? Number(text) : -1

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
