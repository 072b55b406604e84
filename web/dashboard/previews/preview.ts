import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type Preview = ResponseOf<'getPreview'>

/** What is wrong with the name of a new preview; `undefined` where the service will take it, or has to say. */
export function faultOfPreviewName(name: string): string | undefined {
  if (/[A-Z]/u.test(name)) return t('Lower-case letters only.')
  const wrong = /[^a-z0-9-]/u.exec(name)?.[0]
  if (wrong !== undefined)
    return t('Only letters, digits and hyphens: {wrong} cannot be in it.', {
      wrong: wrong === ' ' ? 'a blank' : wrong,
    })
  if (name.length > 40) return t('At most 40 characters.')
  if (name.startsWith('-')) return t('It must begin with a letter or a digit.')
  return name.includes('--') ? t('Two hyphens cannot follow one another.') : undefined
}

/** What reads a preview, and is read again when it changes. */
export const previewReads = [
  'listPreviews',
  'getPreview',
  'listPreviewedAssets',
  'getPreviewDifferences',
  'getZoneDifferences',
  'promotePreview',
  'updatePreview',
] as const

/** The same of what is live. */
export const liveReads = [
  'listAssets',
  'listZones',
  'getAssetMetadata',
  'getAssetHistory',
  'getZoneHistory',
  'restoreZone',
] as const

/** The end of a day where somebody looks, as the service takes it; `undefined` where none is chosen. */
export const expiryOf = (day: string): string | undefined =>
  day === '' ? undefined : new Date(`${day}T23:59:59`).toISOString()
