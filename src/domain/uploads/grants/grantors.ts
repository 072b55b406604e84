import type { Secret } from '../../../lib/secrets/secret.ts'
import type { UploadGrantRecord } from '../../../ports/access/upload-grant-store.ts'
import { type Actor, hasZone, personActorPrefix, type StandingPerson } from '../../access/actor.ts'
import { deriveKey } from '../../access/derived-key.ts'
import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { tokenActorPrefix } from '../../access/tokens/token-index.ts'

type Granted = Pick<UploadGrantRecord, 'createdBy' | 'grantorMark' | 'zone'>

/**
 * Who gives grants, and whether they still could. A grant ends with the token that made it, with the roles
 * of the person who did, and with the key that did once that is replaced and the former one is no longer good. That an operator signs out
 * ends nothing.
 */
export interface Grantors {
  markOf(actor: Pick<Actor, 'credentialId'>): string | undefined
  /** How long whoever asks is good for, where that is known. */
  expiryOf(actor: Pick<Actor, 'credentialId'>): Date | undefined
  isStillGood(granted: Granted): boolean
}

interface Dependencies {
  /** By the id that its credential has; those that are good, the newest first. */
  readonly keysById: Readonly<Record<string, readonly Secret[]>>
  readonly tokens: { byId(id: string): TokenRecord | undefined }
  /** Somebody who may come in. */
  readonly findStanding: (id: string) => StandingPerson | undefined
}

export function createGrantors({ keysById, tokens, findStanding }: Dependencies): Grantors {
  const marksById = new Map(Object.entries(keysById).map(([id, keys]) => [id, keys.map(markOf)]))
  const tokenOf = (credentialId: string) =>
    credentialId.startsWith(tokenActorPrefix)
      ? tokens.byId(credentialId.slice(tokenActorPrefix.length))
      : undefined
  return {
    markOf: ({ credentialId }) => marksById.get(credentialId)?.[0],
    expiryOf: ({ credentialId }) => tokenOf(credentialId)?.expiresAt,
    isStillGood({ createdBy, grantorMark, zone }) {
      const marks = marksById.get(createdBy)
      if (marks !== undefined) return grantorMark !== undefined && marks.includes(grantorMark)
      if (createdBy.startsWith(personActorPrefix)) {
        const person = findStanding(createdBy.slice(personActorPrefix.length))
        return person !== undefined && hasZone(person.reach('storage:write'), zone)
      }
      if (!createdBy.startsWith(tokenActorPrefix)) return true
      const token = tokenOf(createdBy)
      return token !== undefined && (token.zones?.includes(zone) ?? true)
    },
  }
}

/** Tells one key from another, and nothing about either. */
const markOf = (key: Secret): string =>
  Buffer.from(deriveKey(key, 'grantor mark')).toString('base64url').slice(0, 22)
