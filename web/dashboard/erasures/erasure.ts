import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type Erasure = ResponseOf<'listErasures'>['Erasures'][number]
export type Place = Erasure['Places'][number]
/** What a dry run says would be erased. */
export type ErasurePlan = Extract<ResponseOf<'orderErasure'>, { readonly DryRun: true }>

const wordByPlace: Readonly<Record<string, string>> = {
  live: t('Published files'),
  repository: t('Git repository'),
  blobs: t('Stored bytes'),
  made: t('What was made of them'),
  database: t('Database'),
  mirror: t('Mirror'),
  backups: t('Backups'),
}

/** A place as people call it; of an edge its name. */
export function placeName(place: string): string {
  if (place.startsWith('edge:')) return t('Edge {name}', { name: place.slice('edge:'.length) })
  return wordByPlace[place] ?? place
}

const sha256Pattern = /^[0-9a-f]{64}$/u

/** Bytes by their SHA-256, or all that a path ever had. */
export const targetOf = (text: string) =>
  sha256Pattern.test(text) ? { Sha256: text } : { Path: text }

export const nameOfErasure = ({ Path, Sha256 }: Erasure): string =>
  Path ?? Sha256.map((each) => `SHA-256 ${each.slice(0, 12)}…`).join(', ')

/** A place that is out of reach has nothing left to do by itself. */
export const isSettled = ({ State }: Place): boolean => State === 'confirmed' || State === 'told'
