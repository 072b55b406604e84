import type { Asset } from '../../assets/asset.ts'
import { t } from '../../language/text.ts'
import type { IconName } from '../../parts/icon.tsx'

/** Groups in the order in which they are shown. */
export const groupTitles = {
  recent: t('Recent'),
  pages: t('Pages'),
  actions: t('Actions'),
  zones: t('Zones'),
  assets: t('Assets'),
  domains: t('Domains'),
  people: t('People'),
  documentation: t('Documentation'),
  ask: t('Ask'),
} as const

export type EntryGroup = keyof typeof groupTitles

/** Something to go to, or to do. */
export interface Entry {
  /** The same each time, so that what was chosen before can be found again. */
  readonly id: string
  readonly group: EntryGroup
  readonly title: string
  readonly detail?: string | undefined
  readonly icon: IconName
  readonly asset?: Asset
  readonly keys?: string | undefined
  /** Found by whoever types; not offered before. */
  readonly isRare?: boolean
  /** Where it leads, below `/`. */
  readonly href?: string
  /** What it does, where it leads nowhere. */
  readonly run?: () => void
}
