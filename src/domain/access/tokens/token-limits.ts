import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { invalid, ServiceError } from '../../errors.ts'
import type { Actor, Reach, StandingPerson } from '../actor.ts'
import { tokenActorPrefix } from './token-index.ts'
import { hashTokenSecret, tokenPrefix } from './token-secret.ts'

/** What a token opens, or is to. */
export interface WantedReach {
  readonly scopes: readonly string[]
  /** Every zone where left out. */
  readonly zones?: readonly string[] | undefined
}

/** Who asks: a token, a person, or neither. */
export interface Asking {
  readonly maker: TokenRecord | undefined
  readonly person: StandingPerson | undefined
}

/** Nobody gives away more than they have. */
export function refuseMore(wanted: WantedReach, { maker, person }: Asking): void {
  if (maker !== undefined) refuseMoreThanToken(wanted, maker)
  if (person !== undefined) refuseMoreThanPerson(wanted, person)
}

function refuseMoreThanToken({ scopes, zones }: WantedReach, maker: TokenRecord): void {
  const beyond = scopes.filter((scope) => !maker.scopes.includes(scope))
  if (beyond.length > 0)
    throw new ServiceError(
      'InsufficientScope',
      `scopes must be among those of the token that asks; it lacks ${beyond.join(', ')}`,
      { target: 'scopes' },
    )
  if (maker.zones !== undefined && !zones?.every((zone) => maker.zones?.includes(zone)))
    throw new ServiceError(
      'InsufficientScope',
      'zones must be given, and be among those of the token that asks',
      { target: 'zones' },
    )
}

function refuseMoreThanPerson({ scopes, zones }: WantedReach, { reach }: StandingPerson): void {
  for (const scope of scopes)
    if (!covers(reach(scope), zones))
      throw new ServiceError(
        'InsufficientScope',
        `your roles do not open ${scope} ${zones === undefined ? 'in every zone' : 'in all of these zones'}`,
        { target: 'scopes' },
      )
}

const covers = (reach: Reach, zones: readonly string[] | undefined): boolean =>
  reach === 'everywhere' || (zones?.every((zone) => reach.has(zone)) ?? false)

/** Who has another's secret acts as that person. */
export function refuseRotation(record: TokenRecord, actor: Actor, at: Date): void {
  const { personId, isForS3, expiresAt } = record
  const isNarrow = actor.personId !== undefined || actor.credentialId.startsWith(tokenActorPrefix)
  if (personId !== undefined && isNarrow && personId !== actor.personId)
    throw new ServiceError('Forbidden', 'A person’s token is that person’s own to rotate')
  if (isForS3)
    throw invalid('id', 'must be of a token that signs no requests of S3: make another one instead')
  if (expiresAt <= at) throw invalid('id', 'must be of a token that is still good')
}

/** The secret before is good until then, or as long as the token is. */
export const rotatedToken = (record: TokenRecord, secret: string, until: Date): TokenRecord => ({
  ...record,
  secretSha256: hashTokenSecret(secret),
  prefix: tokenPrefix(secret),
  former: { sha256: record.secretSha256, until },
})
